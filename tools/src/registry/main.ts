import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockedPackages } from './locked-packages.ts';
import { packWorkspace } from './pack-workspace.ts';
import { startRegistry } from './start-registry.ts';

const port = 4873;
const root = join(import.meta.dirname, '../../..');

const interrupted = new Promise<void>((resolve) => {
  process.on('SIGINT', resolve);
  process.on('SIGTERM', resolve);
});
const tarballs = mkdtempSync(join(tmpdir(), 'waiver-service-packages-'));
try {
  const packed = await packWorkspace(root, tarballs);
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
  const registry = await startRegistry({ packages: [...packed, ...lockedPackages(root)], port, upstream });
  console.log(`The packages of this clone, as they would be published, are at ${registry.url} until Ctrl-C.

In another shell, in any folder:

  export npm_config_registry=${registry.url}
  npm create waiver-service-plugin@latest acme`);
  await interrupted;
  await registry.close();
} finally {
  rmSync(tarballs, { recursive: true });
}
