import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';

const dist = join(import.meta.dirname, 'dist');
const fingerprintFile = join(dist, 'inputs.sha256');

/** Of everything that the build reads. */
function fingerprintOf(): string {
  const inputs = globSync(['src/**/*.*', 'index.html', '*.ts', 'package.json', '../../package-lock.json'], {
    cwd: import.meta.dirname,
  });
  const hash = createHash('sha256');
  for (const path of inputs.toSorted())
    hash.update(path).update(readFileSync(join(import.meta.dirname, path)));
  return hash.digest('hex');
}

function builtFingerprint(): string | undefined {
  try {
    return readFileSync(fingerprintFile, 'utf8');
  } catch {
    return undefined;
  }
}

const filesOf = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/**
 * Builds beside `dist` and moves the files there one by one, so that hosts which serve them always find whole files: new
 * scripts first, then the page that names them, then the former scripts go.
 */
async function rebuild(fingerprint: string): Promise<void> {
  const outDir = mkdtempSync(join(import.meta.dirname, 'dist-'));
  try {
    await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    const files = filesOf(outDir).toSorted(
      (one, other) => Number(one === 'index.html') - Number(other === 'index.html'),
    );
    for (const file of files) {
      mkdirSync(dirname(join(dist, file)), { recursive: true });
      renameSync(join(outDir, file), join(dist, file));
    }
    for (const file of filesOf(dist)) if (!files.includes(file)) rmSync(join(dist, file), { force: true });
    writeFileSync(fingerprintFile, fingerprint);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

// Not Nx's cache: without its daemon it deletes all of `dist` and copies it back, even if nothing has changed, while a host
// may be serving it.
const fingerprint = fingerprintOf();
if (builtFingerprint() !== fingerprint) await rebuild(fingerprint);
