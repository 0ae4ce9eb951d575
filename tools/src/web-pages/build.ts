/** Builds an app's web pages if their inputs changed: `node tools/src/web-pages/build.ts apps/console`. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '../../..');

/** Covers everything that the build reads, including packages of the workspace. */
function fingerprintOf(app: string): string {
  const own = ['src/**/*.*', 'index.html', '*.ts', 'package.json'].map((pattern) => `${app}/${pattern}`);
  const inputs = globSync([...own, ...sourcesBelow(app), 'package-lock.json', 'tools/src/web-pages/*.ts'], {
    cwd: root,
  });
  const hash = createHash('sha256');
  for (const path of inputs.toSorted()) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** The source globs of the workspace packages that the app imports. */
function sourcesBelow(app: string): string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(root, app, 'package.json'), 'utf8'),
  );
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@waiver-service/'))
    .map((name) => `packages/${name.replace('@waiver-service/', '')}/src/**/*.{ts,json}`);
}

const filesOf = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** Compresses scripts and styles once, at build time; the host sends the compressed files. */
function compress(folder: string): void {
  for (const file of filesOf(folder)) {
    if (!/\.(js|css)$/.test(file)) continue;
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(readFileSync(join(folder, file))));
  }
}

/**
 * Builds beside `dist` and moves the files there one by one, so that hosts serving them always find complete files:
 * first new scripts, then the page that refers to them; old scripts are deleted last.
 */
async function rebuild(app: string): Promise<void> {
  const dist = join(app, 'dist');
  const outDir = mkdtempSync(join(app, 'dist-'));
  try {
    await build({ root: app, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    compress(outDir);
    const files = filesOf(outDir).toSorted(
      (one, other) => Number(one === 'index.html') - Number(other === 'index.html'),
    );
    for (const file of files) {
      mkdirSync(dirname(join(dist, file)), { recursive: true });
      renameSync(join(outDir, file), join(dist, file));
    }
    for (const file of filesOf(dist)) if (!files.includes(file)) rmSync(join(dist, file), { force: true });
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

function builtFingerprint(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

// Not Nx's cache: without its daemon it deletes all of `dist` and copies it back, even if nothing has changed, possibly
// while a host is serving it.
for (const app of process.argv.slice(2)) {
  const fingerprintFile = join(root, app, 'dist/inputs.sha256');
  const fingerprint = fingerprintOf(app);
  if (builtFingerprint(fingerprintFile) === fingerprint) continue;
  await rebuild(join(root, app));
  writeFileSync(fingerprintFile, fingerprint);
}
