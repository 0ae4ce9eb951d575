import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
// Not the tests' folder in memory, where no device files can be made.
const folders = join(root, '.data/image');

/** The program of a container engine. */
export type Engine = 'docker' | 'podman';

/** Runs a program to its end and returns what it printed; an error has all of its messages. */
export async function run(program: string, words: readonly string[]): Promise<string> {
  const { TMPDIR: _, ...env } = process.env;
  // Where debootstrap is, for people who are root without a login.
  const PATH = [env.PATH, '/usr/sbin', '/sbin'].join(delimiter);
  const { stdout } = await promisify(execFile)(program, words, { maxBuffer: 2 ** 28, env: { ...env, PATH } });
  return stdout.trim();
}

/** Whether a program ends well. */
export const succeeds = (program: string, words: readonly string[]): Promise<boolean> =>
  run(program, words).then(
    () => true,
    () => false,
  );

/** A new folder, on a disk. */
export function makeFolder(): string {
  mkdirSync(folders, { recursive: true });
  return mkdtempSync(join(folders, 'made-'));
}

/** Folders that Debian's slim images leave out, too. */
const leftOut = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists'];

/** Adds the Node.js that runs this, npm, and the user of the official image. */
async function addNode(system: string): Promise<void> {
  const local = join(system, 'usr/local');
  cpSync(process.execPath, join(local, 'bin/node'), { dereference: true });
  chmodSync(join(local, 'bin/node'), 0o755);
  const npm = await run('npm', ['exec', '--call', 'echo "$npm_execpath"']);
  cpSync(join(npm, '../..'), join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  appendFileSync(join(system, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(system, 'etc/group'), 'node:x:1000:\n');
}

async function makeSystem(system: string): Promise<void> {
  const release = readFileSync('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(.+)$/m.exec(release)?.[1] ?? 'stable';
  const mirrors = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const [mirror = ''] = mirrors.split('\n');
  await run('debootstrap', ['--variant=minbase', suite, system, mirror]);
  await addNode(system);
}

/** Makes an image to stand in for the official one: Debian's minimal system with this Node.js. @returns its name */
async function makeBase(): Promise<string> {
  const name = `localhost/waiver-service-base:${process.version.slice(1)}`;
  if (await succeeds('podman', ['image', 'exists', name])) return name;
  const folder = makeFolder();
  try {
    const system = join(folder, 'system');
    await makeSystem(system);
    const archive = join(folder, 'system.tar');
    const excluded = leftOut.map((path) => `--exclude=./${path}/*`);
    await run('tar', ['--create', '--file', archive, '--directory', system, ...excluded, '.']);
    const path = 'ENV PATH=/usr/local/bin:/usr/bin:/bin';
    await run('podman', ['import', '--quiet', '--change', path, archive, name]);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why no base can be made here; `undefined` where one can. */
async function whyNoBase(engine: Engine): Promise<string | undefined> {
  if (engine !== 'podman') return `${engine} builds on images of a registry only`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Debian can make it';
  for (const program of ['debootstrap', 'apt-get'])
    if (!(await succeeds(program, ['--version']))) return `${program} is not installed`;
  return undefined;
}

/** A base, or why there is none. */
export type Base = { readonly name: string } | { readonly obstacle: string };

/** The image that a Dockerfile begins with: from the registry or, out of its reach, one that is made here. */
export async function findBase(engine: Engine, official: string): Promise<Base> {
  if (await succeeds(engine, ['image', 'inspect', official])) return { name: official };
  if (await succeeds(engine, ['pull', '--quiet', official])) return { name: official };
  const obstacle = await whyNoBase(engine);
  if (obstacle !== undefined) return { obstacle: `${official} can be neither pulled nor made: ${obstacle}` };
  return { name: await makeBase() };
}

/** npm in a build uses the registry that npm uses here, and its cache. @returns what podman mounts */
export async function npmVolumes(folder: string): Promise<string[]> {
  const [registry, cache] = await Promise.all([
    run('npm', ['config', 'get', 'registry']),
    run('npm', ['config', 'get', 'cache']),
  ]);
  mkdirSync(cache, { recursive: true });
  const [settings, certificates] = [join(folder, 'npmrc'), join(folder, 'certificates.pem')];
  writeFileSync(settings, `registry=${registry}\ncafile=/root/certificates.pem\n`);
  // Those of NODE_EXTRA_CA_CERTS, too.
  writeFileSync(certificates, getCACertificates().join('\n'));
  return [`${settings}:/root/.npmrc:ro`, `${certificates}:/root/certificates.pem:ro`, `${cache}:/root/.npm`];
}
