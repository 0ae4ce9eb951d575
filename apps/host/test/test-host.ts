import { randomBytes } from 'node:crypto';
import {
  type BookingSystemOptions,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '@waiver-service/simulator';
import { createTestDatabase } from '@waiver-service/store/testing';
import pino from 'pino';
import { createHost } from '../src/composition/create-host.ts';
import { readSettings } from '../src/settings/read-settings.ts';

/** An answer of the host, its body read. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A text inside an answer's body; throws where there is none. */
export function textAt(body: unknown, ...path: readonly (string | number)[]): string {
  const value = path.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null
        ? Object.entries(inside).find(([name]) => name === String(step))?.[1]
        : undefined,
    body,
  );
  if (typeof value !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(body)}`);
  return value;
}

/** Calls the host with one token. */
export type TestCaller = (method: string, path: string, body?: unknown) => Promise<TestAnswer>;

/** A host on a database of its own, over real HTTP. */
export interface TestHost {
  readonly url: string;
  readonly admin: TestCaller;
  as(token: string | undefined): TestCaller;
  /** Makes a pool and an access token of it. */
  makePool(pool: string, settings?: Record<string, unknown>): Promise<TestCaller>;
  /** Sets a booking system's address and installs it for a pool, by hand. */
  connect(
    installName: string,
    system: { readonly url: string },
    pool: string,
    apiKey?: string,
  ): Promise<void>;
  close(): Promise<void>;
}

export const adminToken = `wsa_${randomBytes(32).toString('base64url')}`;

/** The partner's key that simulated booking systems take here. */
export const accountKey = 'key-of-the-account';

/** Starts a host that may call this machine. */
export async function startTestHost(environment: Record<string, string> = {}): Promise<TestHost> {
  const database = await createTestDatabase();
  // The test's database is behind a socket, whose address a setting does not take.
  const read = readSettings({
    PORT: '0',
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...environment,
  });
  const settings = { ...read, databaseUrl: database.url };
  const host = await createHost(settings, { logger: pino({ level: 'silent' }) });

  const as =
    (token: string | undefined): TestCaller =>
    async (method, path, body) => {
      const response = await fetch(`${host.url}${path}`, {
        method,
        redirect: 'error',
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    };
  const admin = as(adminToken);

  const expectStatus = (answer: TestAnswer, status: number) => {
    if (answer.status !== status)
      throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  return {
    url: host.url,
    admin,
    as,
    async makePool(pool, poolSettings = {}) {
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}`;
      expectStatus(await admin('PUT', path, { name: pool, ...poolSettings }), 200);
      return as(textAt(expectStatus(await admin('POST', `${path}/access-tokens`), 201), 'token'));
    },
    async connect(installName, { url }, pool, apiKey = accountKey) {
      expectStatus(await admin('PUT', `/v1/admin/booking-systems/${installName}`, { baseUrl: url }), 200);
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}`;
      expectStatus(await admin('PUT', path, { accountId: 4711, apiKey }), 200);
    },
    async close() {
      await host.close();
      await database.drop();
    },
  };
}

/** A simulated booking system as the plugin `standard` or `standard-query` expects it. */
export function startSystemFor(
  installName: 'standard' | 'standard-query',
  options: Partial<BookingSystemOptions> = {},
): Promise<SimulatedBookingSystem> {
  const shape = installName === 'standard' ? ('path' as const) : ('query' as const);
  const authHeaderName = installName === 'standard' ? 'api-key' : 'authentication';
  return startBookingSystem({
    authHeaderName,
    apiKey: accountKey,
    pathShape: shape,
    form: 'current',
    ...options,
  });
}
