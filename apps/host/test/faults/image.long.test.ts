import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  adminToken,
  call,
  makeLink,
  publishForm,
  report,
  type TestCaller,
  textAt,
} from '@waiver-service/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  type Base,
  type Engine,
  findBase,
  makeFolder,
  npmVolumes,
  run,
  succeeds,
} from '../harness/base-image.ts';
import { startBrowser } from '../harness/browser.ts';
import { fillIn, phone, send, sign } from '../harness/check-in-page.ts';
import { openPage } from '../harness/console-page.ts';
import { formerVersions, whyNoFormer, writeFormerSources } from '../harness/former-version.ts';
import { freePort } from '../harness/program.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A program that builds and runs images. */
interface ImageBuilder {
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
async function findImageBuilder(): Promise<ImageBuilder | string> {
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
interface Image {
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
async function buildImage(builder: ImageBuilder): Promise<Image> {
  const name = `localhost/waiver-service-test:${crypto.randomUUID()}`;
  await build(builder, root, name);
  return inspect(builder, name);
}

async function removeImage({ builder, name }: Image): Promise<void> {
  await command(builder, 'image', 'rm', '--force', name);
}

/** Builds the image of a former version, once: the engine keeps it. */
async function buildFormerImage(builder: ImageBuilder, commit: string): Promise<Image> {
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
async function makeVolume({ builder }: Image): Promise<string> {
  const name = `waiver-service-test-${crypto.randomUUID()}`;
  await command(builder, 'volume', 'create', name);
  onTestFinished(async () => {
    await command(builder, 'volume', 'rm', '--force', name);
  });
  return name;
}

/** The result of a command in a container. */
interface Executed {
  readonly status: number | string;
  readonly output: string;
}

/** A container that listens. */
interface Container {
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

interface ContainerOptions {
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
async function restoreBackup(image: Image, from: string, file: string, keys: string): Promise<string> {
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
async function startContainer(options: ContainerOptions): Promise<Container> {
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

const timeout = 900_000;
const commands = '/app/bin/waiver-service.js';

/** This checkout's image, or why there is none. */
let built: Image | string;

beforeAll(async () => {
  const builder = await findImageBuilder();
  if (typeof builder === 'string') {
    built = builder;
    return;
  }
  const begun = Date.now();
  built = await buildImage(builder);
  report({
    'seconds to build': Math.round((Date.now() - begun) / 1000),
    'MB of the image': Math.round(built.bytes / 1e6),
  });
}, timeout);
afterAll(async () => {
  if (typeof built === 'object') await removeImage(built);
});

const callerOf =
  ({ url }: Container, token: string): TestCaller =>
  (method, path, body) =>
    call(`${url}${path}`, body, { method, token });

/** A pool whose guests sign by a link. */
interface LinkedPool {
  readonly link: string;
  readonly accessToken: string;
}

async function makePool(admin: TestCaller): Promise<LinkedPool> {
  const pool = await admin('PUT', '/v1/admin/pools/rafting', { name: 'Rafting', timeZone: 'Europe/Berlin' });
  expect(pool.status).toBe(200);
  await publishForm({ admin }, 'rafting');
  const { body } = await admin('POST', '/v1/admin/pools/rafting/access-tokens');
  return { link: await makeLink(admin, 'rafting', { desk: true }), accessToken: textAt(body, 'token') };
}

/** Opens the link on a guest's phone. */
async function openLink(browser: Browser, { url }: Container, { link }: LinkedPool) {
  const { page } = await openPage(browser, { viewport: phone });
  await page.goto(`${url}/check-in/${link}`);
  return page;
}

/** The names of the guests whose waivers are complete. */
async function signedNames(container: Container, { accessToken }: LinkedPool): Promise<string[]> {
  const { body } = await callerOf(container, accessToken)('GET', '/v1/pools/rafting/waivers?limit=100');
  const items: { answers: { name: string }; currentPage: unknown }[] = body.items;
  const complete = items.filter(({ currentPage }) => currentPage === null);
  return complete.map(({ answers }) => answers.name).toSorted();
}

/** Expects that the image's health check answers, and that nothing can be written outside its volume. */
async function expectHealthy(container: Container, image: Image): Promise<void> {
  expect(await container.execute(...image.healthCheck)).toEqual({ status: 0, output: '' });
  const { output } = await container.execute('touch', '/app/touched');
  expect(output).toContain('Read-only file system');
  expect((await container.execute('id', '--user')).output).toBe('1000\n');
}

test('without settings it prints a token once; what guests sign outlives kill -9, and is in a backup', {
  timeout,
}, async (context) => {
  const image = built;
  if (typeof image === 'string') return context.skip(image);
  expect(image.user).toBe('node');
  const [volume, port, browser] = await Promise.all([makeVolume(image), freePort(), startBrowser()]);
  onTestFinished(() => browser.close());

  const announced = /^the admin token, shown this once: (\w{64})$/gm;
  const first = await startContainer({ image, volume, port });
  const [[, token = ''] = [], ...others] = first.output().matchAll(announced);
  expect(others).toEqual([]);
  await expectHealthy(first, image);
  const pool = await makePool(callerOf(first, token));
  await sign(await openLink(browser, first, pool), 'Ana River');
  const late = await openLink(browser, first, pool);
  await fillIn(late, 'Ben Late');
  await first.kill();

  const second = await startContainer({ image, volume, port });
  expect(second.output()).not.toContain('admin token, shown');
  expect(await signedNames(second, pool)).toEqual(['Ana River']);
  await send(late);
  expect(await second.execute(commands, 'backup', '/data/monday.backup')).toMatchObject({ status: 0 });
  const keys = (await second.execute('cat', '/data/encryption-keys')).output.trim();
  expect(await second.stop()).toBe(0);

  const restored = await restoreBackup(image, volume, 'monday.backup', keys);
  const settings = { ENCRYPTION_KEYS: keys };
  const third = await startContainer({ image, volume: restored, port, settings });
  expect(await signedNames(third, pool)).toEqual(['Ana River', 'Ben Late']);
  expect(await third.stop()).toBe(0);
});

test('the image takes over the volume of the former one: what was signed is there, and its links go on', {
  timeout,
}, async (context) => {
  const commit = formerVersions.at(-1) ?? '';
  const obstacle = whyNoFormer(commit);
  if (obstacle !== undefined) return context.skip(obstacle);
  const image = built;
  if (typeof image === 'string') return context.skip(image);
  const former = await buildFormerImage(image.builder, commit);
  const [volume, port, browser] = await Promise.all([makeVolume(image), freePort(), startBrowser()]);
  onTestFinished(() => browser.close());
  const settings = { BASE_URL: `http://localhost:${port}`, ADMIN_TOKEN: adminToken };
  const before = await startContainer({ image: former, volume, port, settings });
  const pool = await makePool(callerOf(before, adminToken));
  await sign(await openLink(browser, before, pool), 'Ana River');
  const late = await openLink(browser, before, pool);
  await fillIn(late, 'Ben Late');
  expect(await before.stop()).toBe(0);

  const after = await startContainer({ image, volume, port, settings });
  await expectHealthy(after, image);
  expect(await signedNames(after, pool)).toEqual(['Ana River']);
  await send(late);
  await sign(await openLink(browser, after, pool), 'Cleo New');
  expect(await signedNames(after, pool)).toEqual(['Ana River', 'Ben Late', 'Cleo New']);
  expect(await after.stop()).toBe(0);
});
