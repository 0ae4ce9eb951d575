import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import {
  billOfMaterials,
  licenseTexts,
  type ProductionPackage,
  productionPackages,
} from './production-packages.ts';

const manifestName = 'MANIFEST.sha256';
// Fixed, so that archives of two identical packages are identical, too.
const modifiedAt = new Date('2000-01-01T00:00:00Z');

/** A program that checks the version of Node.js before it imports code that an older one could not parse. */
const entryPoint = (statement: string) => `if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(\`The waiver service needs Node.js 24 or newer, and this is \${process.versions.node}.\`);
  process.exit(1);
}
${statement}
`;
const main = entryPoint("await import('./node_modules/@waiver-service/host/dist/main.js');");
const command = `#!/usr/bin/env node
${entryPoint("await import('../node_modules/waiver-service-check/bin/waiver-service.js');")}`;

// For a container. HOST is set here, so that commands in it, which do not listen, need no BASE_URL. Without any setting,
// it is a service to look at, on the address that its reader's browser calls.
const container = `import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.env.HOST ||= '0.0.0.0';
const { ADMIN_TOKEN, BASE_URL, DATABASE_URL, DATA_DIR = './.data', PORT = '8080' } = process.env;
if (!ADMIN_TOKEN && !BASE_URL && !DATABASE_URL) {
  process.env.BASE_URL = \`http://localhost:\${PORT}\`;
  const token = randomBytes(32).toString('hex');
  try {
    writeFileSync(join(DATA_DIR, 'admin-token'), \`\${token}\\n\`, { mode: 0o600, flag: 'wx' });
    console.log(\`the admin token, shown this once: \${token}\`);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
await import('./main.js');
`;

// For container engines: images have neither curl nor a shell to rely on.
const healthCheck = `const { OPERATIONS_PORT, PORT = '8080', HOST = '127.0.0.1' } = process.env;
const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? '127.0.0.1' : HOST;
const url = new URL(\`http://\${host.includes(':') ? \`[\${host}]\` : host}:\${OPERATIONS_PORT ?? PORT}/healthz\`);
const healthy = await fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(healthy ? 0 : 1);
`;

const packageJson = z.looseObject({
  name: z.string(),
  version: z.string(),
  files: z.array(z.string()).default([]),
  devDependencies: z.unknown().optional(),
});

// Types, compiled sources, source maps, static libraries, tests.
const leftOutFiles = /\.(?:[cm]?tsx?|map|a|tsbuildinfo|(?:test|spec)\.[cm]?js)$/;
// At the top level of third-party packages.
const leftOutFolders = new Set([
  '.github',
  '__tests__',
  'bench',
  'benchmark',
  'benchmarks',
  'docs',
  'example',
  'examples',
  'test',
  'tests',
]);

/** The written package. */
export interface WrittenPackage {
  readonly files: number;
  readonly bytes: number;
  /** Hash of the manifest: two packages are identical if these are. */
  readonly hash: string;
}

/** A package's destination. */
function placeOf({ name, folder, isOurs }: ProductionPackage, all: readonly ProductionPackage[]): string {
  if (isOurs) return `node_modules/${name}`;
  const owner = all.find((one) => one.isOurs && folder.startsWith(`${one.folder}/node_modules/`));
  return owner === undefined ? folder : `node_modules/${owner.name}${folder.slice(owner.folder.length)}`;
}

async function copy(from: string, to: string, takes: (path: string) => boolean, path = ''): Promise<void> {
  const stats = await lstat(join(from, path));
  if (stats.isDirectory()) {
    for (const name of await readdir(join(from, path))) {
      const inner = join(path, name);
      if (name !== 'node_modules' && takes(inner)) await copy(from, to, takes, inner);
    }
    return;
  }
  await mkdir(dirname(join(to, path)), { recursive: true });
  if (stats.isSymbolicLink()) await symlink(await readlink(join(from, path)), join(to, path));
  else {
    await copyFile(join(from, path), join(to, path));
    await chmod(join(to, path), stats.mode & 0o111 ? 0o755 : 0o644);
  }
}

async function copyOthers(root: string, { folder }: ProductionPackage, to: string): Promise<void> {
  await copy(join(root, folder), to, (path) => !leftOutFiles.test(path) && !leftOutFolders.has(path));
}

/** Copies the files that the package publishes, without test files and leftovers of earlier builds. */
async function copyOurs(root: string, { folder }: ProductionPackage, to: string): Promise<void> {
  const from = join(root, folder);
  const { devDependencies, ...kept } = packageJson.parse(
    JSON.parse(await readFile(join(from, 'package.json'), 'utf8')),
  );
  if (!existsSync(join(from, 'dist'))) throw new Error(`${folder} has not been built: npm run build`);
  const isCompiled = existsSync(join(from, 'tsconfig.json')) && existsSync(join(from, 'src/index.ts'));
  const hasSource = (path: string) =>
    !isCompiled || existsSync(join(from, path.replace(/^dist/, 'src').replace(/\.js$/, '.ts')));
  const takes = (path: string) => {
    if (!kept.files.some((each) => path === each || path.startsWith(`${each}/`))) return false;
    if (path === 'dist/testing' || leftOutFiles.test(path)) return false;
    return !(path.startsWith('dist/') && path.endsWith('.js')) || hasSource(path);
  };
  await copy(from, to, takes);
  await writeFile(join(to, 'package.json'), `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o644 });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function hashOf(path: string): Promise<{ hash: string; bytes: number }> {
  const stats = await lstat(path);
  // For a link, the content of its target, as sha256sum reads it.
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('hex');
  return { hash, bytes: stats.isSymbolicLink() ? stats.size : content.length };
}

/** The package's destination folder holds something else. */
export class OccupiedFolder extends Error {
  override readonly name = 'OccupiedFolder';
}

/** Deletes a previous package. @throws OccupiedFolder */
async function clear(folder: string): Promise<void> {
  const found = existsSync(folder) ? await readdir(folder) : [];
  if (found.length > 0 && !found.includes(manifestName))
    throw new OccupiedFolder(`${folder} is not empty and holds no package: name a new folder, or delete it`);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Writes a folder that runs the service and its commands on any supported Node.js, and needs nothing else.
 *
 * @throws OccupiedFolder unless the folder is new, empty or a previous package
 */
export async function writePackage(root: string, into: string): Promise<WrittenPackage> {
  await clear(into);
  await mkdir(join(into, 'bin'), { recursive: true });
  const packages = productionPackages(root);
  for (const one of packages) {
    if (one.isBundled) continue;
    const to = join(into, placeOf(one, packages));
    await (one.isOurs ? copyOurs(root, one, to) : copyOthers(root, one, to));
  }
  const host = packages.find(({ folder }) => folder === 'apps/host');
  const version = host?.version ?? '';
  const described = {
    name: 'waiver-service',
    version,
    license: 'MIT',
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    bin: { 'waiver-service': './bin/waiver-service.js' },
  };
  const written: Readonly<Record<string, string>> = {
    'package.json': `${JSON.stringify(described, undefined, 2)}\n`,
    'main.js': main,
    'container.js': container,
    'health-check.js': healthCheck,
    'bin/waiver-service.js': command,
    LICENSE: await readFile(join(root, 'LICENSE'), 'utf8'),
    'THIRD-PARTY-LICENSES.txt': licenseTexts(root, packages),
    'sbom.cdx.json': billOfMaterials(version, packages),
  };
  for (const [name, text] of Object.entries(written)) {
    await writeFile(join(into, name), text, { mode: name.startsWith('bin/') ? 0o755 : 0o644 });
  }
  const lines: string[] = [];
  let bytes = 0;
  for (const file of await listFiles(into)) {
    const content = await hashOf(join(into, file));
    lines.push(`${content.hash}  ${file}\n`);
    bytes += content.bytes;
  }
  const manifest = lines.join('');
  await writeFile(join(into, manifestName), manifest, { mode: 0o644 });
  for (const name of await readdir(into, { recursive: true })) {
    const path = join(into, name);
    if ((await lstat(path)).isDirectory()) await chmod(path, 0o755);
    await lutimes(path, modifiedAt, modifiedAt);
  }
  return { files: lines.length, bytes, hash: createHash('sha256').update(manifest).digest('hex') };
}
