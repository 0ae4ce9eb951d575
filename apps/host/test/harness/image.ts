import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Base, type Engine, findBase, makeFolder, npmVolumes, run, succeeds } from './base-image.ts';
import { writeFormerSources } from './former-version.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A program that builds and runs images. */
export interface ImageBuilder {
  readonly engine: Engine;
  /** Its options before a command. */
  readonly options: readonly string[];
  /** The image to build on. */
  readonly base: string;
}

const command = ({ engine, options }: ImageBuilder, ...words: readonly string[]): Promise<string> =>
  run(engine, [...options, ...words]);

/** The base that a Dockerfile names in each of its stages. */
const officialBase = (sources: string) =>
  /^FROM (\S+)/m.exec(readFileSync(join(sources, 'Dockerfile'), 'utf8'))?.[1] ?? '';

// podman's defaults are above what some machines allow.
const limits = {
  docker: [],
  podman: ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=10000:10000'],
} as const;
// The second where crun does not take the machine's cgroups.
const optionsOf = { docker: [[]], podman: [[], ['--runtime', 'runc']] } as const;

/** @returns what builds and runs images here, or why nothing does */
export async function findImageBuilder(): Promise<ImageBuilder | string> {
  const engine: Engine = (await succeeds('docker', ['info'])) ? 'docker' : 'podman';
  if (!(await succeeds(engine, ['info'])))
    return 'no container engine answers here: start docker, or install podman';
  const base: Base = await findBase(engine, officialBase(root));
  if ('obstacle' in base) return base.obstacle;
  const words = ['run', '--rm', ...limits[engine], '--network', 'host', base.name, 'node', '--version'];
  let obstacle: unknown;
  for (const options of optionsOf[engine]) {
    const builder = { engine, options, base: base.name };
    try {
      await command(builder, ...words);
      return builder;
    } catch (error) {
      obstacle = error;
    }
  }
  return `${engine} runs no container here: ${obstacle}`;
}

const healthCheckSchema = z.object({ Test: z.array(z.string()) }).optional();
const inspected = z.tuple([
  z.object({
    Size: z.number(),
    Config: z.object({ User: z.string(), Healthcheck: healthCheckSchema }),
    // podman's.
    Healthcheck: healthCheckSchema,
  }),
]);

/** An image, and what its Dockerfile says of it. */
export interface Image {
  readonly builder: ImageBuilder;
  readonly name: string;
  readonly bytes: number;
  readonly user: string;
  /** The words of its health check. */
  readonly healthCheck: readonly string[];
}

async function inspect(builder: ImageBuilder, name: string): Promise<Image> {
  const [image] = inspected.parse(JSON.parse(await command(builder, 'image', 'inspect', name)));
  const { Test = [] } = image.Config.Healthcheck ?? image.Healthcheck ?? {};
  // After the word CMD.
  return { builder, name, bytes: image.Size, user: image.Config.User, healthCheck: Test.slice(1) };
}

/** Builds from sources with their Dockerfile, and nothing of an earlier build. */
async function build(builder: ImageBuilder, sources: string, name: string): Promise<void> {
  const words = ['build', '--tag', name, ...limits[builder.engine]];
  if (builder.engine === 'docker') return void (await command(builder, ...words, '--no-cache', sources));
  const folder = makeFolder();
  try {
    const volumes = (await npmVolumes(folder)).flatMap((volume) => ['--volume', volume]);
    const base = ['--build-context', `${officialBase(sources)}=container-image://${builder.base}`];
    // Images of the OCI's format have no health check.
    const format = ['--format', 'docker', '--layers=false'];
    await command(builder, ...words, ...format, '--network', 'host', ...base, ...volumes, sources);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds this checkout's image. */
export async function buildImage(builder: ImageBuilder): Promise<Image> {
  const name = `localhost/waiver-service-test:${crypto.randomUUID()}`;
  await build(builder, root, name);
  return inspect(builder, name);
}

export async function removeImage({ builder, name }: Image): Promise<void> {
  await command(builder, 'image', 'rm', '--force', name);
}

/** Builds the image of a former version, once: the engine keeps it. */
export async function buildFormerImage(builder: ImageBuilder, commit: string): Promise<Image> {
  const name = `localhost/waiver-service-former:${commit}`;
  if (await succeeds(builder.engine, ['image', 'inspect', name])) return inspect(builder, name);
  const sources = makeFolder();
  try {
    writeFormerSources(commit, sources);
    await build(builder, sources, name);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  return inspect(builder, name);
}

/** A volume, which the test's end removes. @returns its name */
export async function makeVolume({ builder }: Image): Promise<string> {
  const name = `waiver-service-test-${crypto.randomUUID()}`;
  await command(builder, 'volume', 'create', name);
  onTestFinished(async () => {
    await command(builder, 'volume', 'rm', '--force', name);
  });
  return name;
}

/** The result of a command in a container. */
export interface Executed {
  readonly status: number | string;
  readonly output: string;
}

/** A container that listens. */
export interface Container {
  readonly url: string;
  /** Everything that it has printed. */
  output(): string;
  /** Runs a command in it, as its user. */
  execute(...words: readonly string[]): Promise<Executed>;
  /** Ends all of its processes: kill -9. */
  kill(): Promise<void>;
  /** Asks it to end as the image says, and returns its status. */
  stop(): Promise<number>;
}

export interface ContainerOptions {
  readonly image: Image;
  readonly volume: string;
  readonly port: number;
  /** None by default. */
  readonly settings?: Readonly<Record<string, string>>;
}

const wordsOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** A container without rights: it writes to its volume and `/tmp` only. */
const restricted = ({ engine }: ImageBuilder, volume: string): readonly string[] => [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--volume', `${volume}:/data`, ...limits[engine]],
];

/** Restores a backup on one volume into a new one, with a container for it. @returns the new volume's name */
export async function restoreBackup(image: Image, from: string, file: string, keys: string): Promise<string> {
  const volume = await makeVolume(image);
  const given = [
    '--network',
    'none',
    ...wordsOf({ ENCRYPTION_KEYS: keys }),
    '--volume',
    `${from}:/backups:ro`,
  ];
  const program = ['--entrypoint', '/app/bin/waiver-service.js', image.name, 'restore', `/backups/${file}`];
  await command(image.builder, 'run', '--rm', ...restricted(image.builder, volume), ...given, ...program);
  return volume;
}

/** Starts a container and waits until it listens. The test's end removes it. */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  const { image, volume, port, settings = {} } = options;
  const { builder } = image;
  const { engine } = builder;
  const name = `waiver-service-test-${crypto.randomUUID()}`;
  // Its links lead to the port that is free here.
  const network = engine === 'podman' ? ['--network', 'host'] : ['--publish', `127.0.0.1:${port}:${port}`];
  const words = ['run', '--rm', '--name', name, ...restricted(builder, volume), ...network];
  const given = wordsOf({ PORT: String(port), ...settings });
  const child = spawn(engine, [...builder.options, ...words, ...given, image.name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    if (child.exitCode === null) await command(builder, 'rm', '--force', name);
  });
  let output = '';
  const listening = new Promise<void>((resolve, reject) => {
    const add = (part: string) => {
      output += part;
      if (/^listening on /m.test(output)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    closed.then(() => reject(new Error(`The container ended: ${output}`)), reject);
  });
  await listening;
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    execute: (...executed) =>
      new Promise((resolve) => {
        execFile(engine, [...builder.options, 'exec', name, ...executed], (error, stdout, stderr) =>
          resolve({ status: error?.code ?? 0, output: `${stdout}${stderr}` }),
        );
      }),
    async kill() {
      await command(builder, 'kill', '--signal', 'KILL', name);
      await closed;
    },
    async stop() {
      await command(builder, 'stop', '-t', '60', name);
      const [status]: number[] = await closed;
      return status ?? -1;
    },
  };
}
