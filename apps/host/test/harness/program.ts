import { type Answer, accountKey, adminToken, type CallOptions, call, textAt } from '@waiver-service/testing';
import { type SpawnedHost, spawnHost } from './spawned-host.ts';
import { encryptionKeys } from './test-host.ts';

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
  /** Ends it with SIGTERM and returns its status. */
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
 * Starts the program and waits until it listens.
 *
 * @param build - its `main.js`; this checkout's by default
 */
export async function startProgram(
  variables: Readonly<Record<string, string>>,
  build?: string,
): Promise<Program> {
  const spawned = spawnHost({ ...usualVariables, ...variables }, build);
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
    stop() {
      spawned.process.kill('SIGTERM');
      return spawned.ended;
    },
  };
  return program;
}
