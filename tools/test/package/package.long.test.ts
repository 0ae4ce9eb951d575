import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnknownLicenses, isAllowed, productionPackages } from '../../src/package/production-packages.ts';
import { type WrittenPackage, writePackage } from '../../src/package/write-package.ts';
import { documentedBlock } from '../documented-block.ts';

/** One instruction of a Dockerfile: `RUN`, and its arguments. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage, from its `FROM` on. */
function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of dockerfile.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The words of `["node", "/app/main.js"]`, at the end of an instruction. */
function wordsOf(text: string): string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`${text} has no list of words`);
  return words.map(String);
}

const root = join(import.meta.dirname, '../../..');
const isRoot = process.getuid?.() === 0;
// Exists on every Linux and macOS; PostgreSQL also starts as this user.
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** The root of the image's file system. */
let image = '';
let written: WrittenPackage;
const environment: Record<string, string> = {};
let entrypoint: string[] = [];
let healthCheck: string[] = [];

const inImage = (path: string) => join(image, path);
const commandOf = (words: readonly string[]) =>
  words.map((word) => (word.startsWith('/') ? inImage(word) : word));

/** Carries out one step of the Dockerfile; fails for an unknown one, so that none is skipped. */
async function take(name: string, text: string): Promise<void> {
  const [, packaged] = /^npm run package -- (\S+)$/.exec(text) ?? [];
  const [, made] = /^mkdir -p (\S+)$/.exec(text) ?? [];
  const [, given] = /^chown node:node (\S+)$/.exec(text) ?? [];
  const [, from, to] = /^--from=build (\S+) (\S+)$/.exec(text) ?? [];
  if (['FROM', 'WORKDIR', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(name)) return;
  // These two steps produce this checkout.
  if ((name === 'COPY' && text === '. .') || (name === 'RUN' && text === 'npm ci')) return;
  if (name === 'RUN' && packaged !== undefined) written = await writePackage(root, inImage(packaged));
  else if (name === 'RUN' && made !== undefined) mkdirSync(inImage(made), { recursive: true });
  else if (name === 'RUN' && given !== undefined) {
    if (nobody.uid !== undefined) chownSync(inImage(given), nobody.uid, nobody.gid);
  } else if (name === 'COPY' && from !== undefined && to !== undefined)
    renameSync(inImage(from), inImage(to));
  else if (name === 'ENV') environment[text.split('=')[0] ?? ''] = text.slice(text.indexOf('=') + 1);
  else if (name === 'ENTRYPOINT') entrypoint = wordsOf(text);
  else if (name === 'HEALTHCHECK') healthCheck = wordsOf(text);
  else throw new Error(`the test does not know the step ${name} ${text}`);
}

beforeAll(async () => {
  image = mkdtempSync(join(tmpdir(), 'waiver-service-image-'));
  // The image's user must be able to enter.
  chmodSync(image, 0o755);
  const stages = stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  for (const { name, text } of stages.flat()) await take(name, text);
  execFileSync('chmod', ['-R', 'a-w', inImage('app')]);
});

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', image]);
  rmSync(image, { recursive: true, force: true });
});

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The Node.js that runs the tests, copied if the image's user cannot run it in place. */
function nodeForEveryone(): string {
  const canRun = spawnSync(process.execPath, ['--version'], { ...nobody, cwd: '/' }).status === 0;
  if (canRun) return process.execPath;
  const copied = inImage('node');
  cpSync(process.execPath, copied);
  chmodSync(copied, 0o755);
  return copied;
}

test('it holds what runs in production, and nothing of the tests, the benchmarks or the tools', () => {
  const files = filesOf(inImage('app'));
  for (const name of ['nx', 'vitest', 'typescript', 'vite', 'pg-boss', 'fast-check', 'react']) {
    expect(files.filter((file) => file.startsWith(`node_modules/${name}/`))).toEqual([]);
  }
  for (const name of ['bench', 'tools', 'simulator', 'contract-suite']) {
    expect(files.filter((file) => file.startsWith(`node_modules/@waiver-service/${name}/`))).toEqual([]);
  }
  expect(files.filter((file) => /\.(?:ts|map|test\.js)$/.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith('/console/dist/index.html'))).toHaveLength(1);
  expect(files).toContain('bin/waiver-service.js');
  expect(written.bytes).toBeLessThan(150e6);
});

test('its manifest has the hash of every file, and a second package has the same', async () => {
  const app = inImage('app');
  const listed = readFileSync(join(app, 'MANIFEST.sha256'), 'utf8');
  const names = listed
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66));
  expect(names.toSorted()).toEqual(
    filesOf(app)
      .filter((file) => file !== 'MANIFEST.sha256')
      .toSorted(),
  );
  const hash = createHash('sha256')
    .update(readFileSync(join(app, 'main.js')))
    .digest('hex');
  expect(listed).toContain(`${hash}  main.js\n`);
  const again = mkdtempSync(join(tmpdir(), 'waiver-service-package-'));
  expect(await writePackage(root, again)).toEqual(written);
  const times = new Set(filesOf(again).map((file) => statSync(join(again, file)).mtimeMs));
  expect([...times]).toEqual([Date.parse('2000-01-01T00:00:00Z')]);
  rmSync(again, { recursive: true });
});

test('its steps are those of the page for operators', () => {
  const block = documentedBlock('docs/operating.md', 'npm ci && npm audit signatures');
  const [install, ...steps] = block.replaceAll('/opt/waiver-service', inImage('app')).trim().split('\n');
  // Not run here: it asks the registry. The package already exists, and the next test starts it.
  expect(install).toMatch(/^npm ci && npm audit signatures #/);
  const before = `npm() { test "$*" = 'run package -- ${inImage('app')}'; }
node() { case "$1" in */main.js) ;; *) command node "$@";; esac; }`;
  const printed = execFileSync('bash', ['-euc', [before, ...steps].join('\n')], { encoding: 'utf8' });
  expect(printed).toContain('waiver-service restore');
});

test('an older Node.js says which one it needs', () => {
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  for (const program of ['main.js', 'bin/waiver-service.js']) {
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, inImage(`app/${program}`)]);
    expect([status, stderr.toString()]).toEqual([
      1,
      'The waiver service needs Node.js 24 or newer, and this is 20.20.2.\n',
    ]);
  }
});

test('without settings it starts on a read-only tree as a user without rights, prints a token once, and ends', async () => {
  const node = nodeForEveryone();
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? '',
    ...environment,
    PORT: String(port),
    DATA_DIR: inImage(environment.DATA_DIR ?? ''),
  };
  expect(entrypoint[0]).toBe('node');
  const options = { ...nobody, cwd: '/', env };
  if (isRoot) {
    // The host must be unable to write, not merely happen not to.
    const touched = spawnSync('touch', [inImage('app/touched')], options);
    expect(touched.status).not.toBe(0);
  }
  const checkHealth = () => spawnSync(node, commandOf(healthCheck.slice(1)), options).status;
  /** Runs the container's program until it listens and `meanwhile` has ended; returns what it printed. */
  async function run(meanwhile: (output: string) => Promise<void>): Promise<string> {
    const words = commandOf(entrypoint.slice(1));
    const host = spawn(node, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(host, 'close');
    let output = '';
    const listening = new Promise<void>((resolve, reject) => {
      const add = (part: Buffer) => {
        output += part.toString();
        if (/^listening on /m.test(output)) resolve();
      };
      host.stdout.on('data', add);
      host.stderr.on('data', add);
      void ended.then(() => reject(new Error(output)));
    });
    try {
      await listening;
      await meanwhile(output);
      host.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      return output;
    } finally {
      host.kill('SIGKILL');
    }
  }
  const announced = /^the admin token, shown this once: (\w{64})$/m;
  const base = `http://127.0.0.1:${port}`;
  await run(async (output) => {
    expect(checkHealth()).toBe(0);
    const page = await fetch(`${base}/console`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root">');
    const [, token = ''] = announced.exec(output) ?? [];
    const me = await fetch(`${base}/v1/admin/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200);
    const backup = ['backup', join(env.DATA_DIR, 'waivers.backup')];
    const command = spawnSync(node, [inImage('app/bin/waiver-service.js'), ...backup], options);
    expect([command.status, command.stderr.toString()]).toEqual([0, '']);
    expect(statSync(join(env.DATA_DIR, 'waivers.backup')).size).toBeGreaterThan(0);
  });
  expect(checkHealth()).toBe(1);
  const again = await run(async () => {});
  expect(again).not.toMatch(announced);
});

test('the bill of materials and the licenses name every package in it, and what is in the pages', () => {
  const bill = JSON.parse(readFileSync(inImage('app/sbom.cdx.json'), 'utf8'));
  const listed = new Set(bill.components.map((one: { purl: string }) => one.purl));
  const texts = readFileSync(inImage('app/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const others = productionPackages(root).filter(({ isOurs }) => !isOurs);
  const bundled = others.filter(({ isBundled }) => isBundled).map(({ name }) => name);
  expect(bundled).toEqual(expect.arrayContaining(['react', 'preact']));
  for (const { name, version, license } of others) {
    expect(listed).toContain(`pkg:npm/${name.replace(/^@/, '%40')}@${version}`);
    expect(texts).toContain(`${name} ${version}: ${license}\n`);
  }
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
});

test('a license that was not reviewed is a problem', () => {
  expect(findUnknownLicenses({ root })).toEqual([]);
  for (const license of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC']) expect(isAllowed(license)).toBe(true);
  for (const license of ['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN x'])
    expect(isAllowed(license)).toBe(false);
});
