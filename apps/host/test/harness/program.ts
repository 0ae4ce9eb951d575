import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@waiver-service/database/testing';
import { startWebhookReceiver } from '@waiver-service/simulator';
import {
  type Answer,
  accountKey,
  adminToken,
  type CallOptions,
  call,
  listenLocally,
  startSystemFor,
  textAt,
} from '@waiver-service/testing';
import { afterAll } from 'vitest';
import { type SpawnedHost as Spawned, spawnHost as spawn } from '../../src/process/index.ts';
import { encryptionKeys } from './test-host.ts';

/** The program as this checkout's build has it. */
export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const running = new Set<Spawned>();
// A test that fails in the middle leaves its host behind.
afterAll(() => {
  for (const host of running) void host.stop();
  running.clear();
});

/** A host from its build, with what it wrote. */
interface SpawnedHost extends Spawned {
  stderr(): string;
}

/** A port that is free at this moment, for a host whose address has to be known before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  server.close();
  return port;
}

/** Starts a host with these variables and no others of ours. */
export function spawnHost(
  settings: Readonly<Record<string, string>>,
  program: string = builtProgram,
): SpawnedHost {
  const { PATH, HOME } = process.env;
  let stderr = '';
  const host = spawn({
    environment: { PATH, HOME },
    settings,
    program,
    log: (line) => {
      stderr += `${line}\n`;
    },
  });
  running.add(host);
  void host.ended.then(() => running.delete(host));
  return { ...host, stderr: () => stderr };
}

/** The real program in a separate process, with calls to it. */
export interface Program {
  readonly url: string;
  readonly spawned: SpawnedHost;
  /** Any call, with the admin token where no other is given. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A call that has to succeed; returns the body of the answer. */
  done(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer['body']>;
  /** Makes a pool and returns an access token of it. */
  makePool(pool: string, settings?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Sets a booking system's address and installs it for a pool with the simulator's key. */
  connect(installName: string, system: { readonly url: string }, pool: string): Promise<void>;
  /** Ends it with SIGTERM and returns its status; drops its database if that was made for it. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** Variables that every started program gets where a test does not say otherwise. */
const usualVariables = {
  ADMIN_TOKEN: adminToken,
  ENCRYPTION_KEYS: encryptionKeys,
  OUTBOUND_ALLOW: '127.0.0.0/8',
  OUTBOUND_TIMEOUT: '20s',
  RETRY_SCHEDULE: '0s,50ms,50ms',
  LOG_LEVEL: 'warn',
};

/**
 * Starts the program and waits until it listens. Where neither DATABASE_URL nor DATA_DIR says which is its database, it
 * has a new one.
 *
 * @param build - its `main.js`; this checkout's by default
 */
export async function startProgram(
  variables: Readonly<Record<string, string>>,
  build?: string,
): Promise<Program> {
  const hasDatabase = 'DATABASE_URL' in variables || 'DATA_DIR' in variables;
  const created = hasDatabase ? undefined : await createTestDatabase();
  const database = created && { DATABASE_URL: created.url };
  const spawned = spawnHost({ ...usualVariables, ...database, ...variables }, build);
  const url = await spawned.listening;
  const token = variables.ADMIN_TOKEN ?? adminToken;
  const program: Program = {
    url,
    spawned,
    call: (method, path, body, options = {}) => call(`${url}${path}`, body, { token, ...options, method }),
    async done(method, path, body, options) {
      const answer = await program.call(method, path, body, options);
      if (answer.status >= 300)
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    async makePool(pool, settings = {}) {
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}`;
      await program.done('PUT', path, { name: pool, ...settings });
      return textAt(await program.done('POST', `${path}/access-tokens`), 'token');
    },
    async connect(installName, system, pool) {
      await program.done('PUT', `/v1/admin/booking-systems/${installName}`, {
        baseUrl: system.url,
        sendCredentialsTo: new URL(system.url).origin,
      });
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}`;
      await program.done('PUT', path, { accountId: 4711, apiKey: accountKey });
    },
    async stop() {
      spawned.process.kill('SIGTERM');
      const status = await spawned.ended;
      await created?.drop();
      return status;
    },
  };
  return program;
}

/** The program with something of everything in it: a pool `p`, installed, with a webhook and a waiver `W-1`. */
export async function startFurnishedProgram(variables: Readonly<Record<string, string>> = {}) {
  const [system, receiver, program] = await Promise.all([
    startSystemFor('standard'),
    startWebhookReceiver(),
    startProgram(variables),
  ]);
  const accessToken = await program.makePool('p');
  await program.connect('standard', system, 'p');
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  const webhookId = textAt(await program.done('POST', '/v1/admin/pools/p/webhooks', webhook), 'id');
  const keys = await program.done('POST', '/v1/admin/booking-systems/standard/install-keys');
  const waiver = { id: 'W-1', bookingId: 'BK-1001', answers: { name: 'Ada' } };
  await program.done('POST', '/v1/pools/p/waivers', waiver);
  return {
    program,
    system,
    receiver,
    accessToken,
    webhookId,
    installKey: textAt(keys, 'key'),
    async close() {
      await program.stop();
      await Promise.all([system.close(), receiver.close()]);
    },
  };
}

export type FurnishedProgram = Awaited<ReturnType<typeof startFurnishedProgram>>;

/**
 * A variable by which a spawned host runs some JavaScript first, for effects that cannot be caused from outside, such as
 * a wrong clock.
 */
export function preloading(code: string, ...options: readonly string[]): { readonly NODE_OPTIONS: string } {
  const url = `data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`;
  return { NODE_OPTIONS: [...options, `--import=${url}`].join(' ') };
}

/** A clock that is wrong by so many milliseconds, and steps on by so many at each SIGUSR2. */
export function wrongClock(offByMs: number, stepMs = 0): { readonly NODE_OPTIONS: string } {
  return preloading(`
    const RealDate = Date;
    let offBy = ${offByMs};
    process.on('SIGUSR2', () => { offBy += ${stepMs}; });
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length === 0) super(RealDate.now() + offBy);
        else super(...given);
      }
      static now() { return RealDate.now() + offBy; }
    };`);
}

/** Loads a module of the tests in place of the plugin `standard`. */
export function replacingStandard(module: URL): { readonly NODE_OPTIONS: string } {
  return preloading(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier === '@waiver-service/plugin-standard' ? ${JSON.stringify(module.href)} : specifier, context),
    });`);
}
