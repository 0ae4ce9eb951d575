import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/store/testing';
import { pino } from 'pino';
import { createHost, type HostOverrides } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';

export const adminToken = 'admin-token-of-the-tests';
export const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;

/** An answer of the host, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Awaited<ReturnType<Response['json']>>;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A host on a database of its own, and what tests do with it. */
export async function startTestHost(
  variables: Readonly<Record<string, string>> = {},
  overrides: HostOverrides = {},
) {
  const database = await createTestDatabase();
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  const settings = readSettings({
    PORT: '0',
    DATABASE_URL: database.url,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: encryptionKeys,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    OUTBOUND_TIMEOUT: '2s',
    RETRY_SCHEDULE: '0s,50ms,50ms',
    ...variables,
  });
  const host = await createHost(settings, { logger, ...overrides });

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    { token = adminToken, headers = {} }: CallOptions = {},
  ): Promise<Answer> => {
    const response = await fetch(`${host.url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  return {
    host,
    url: host.url,
    /** Every line of the log so far. */
    lines,
    databaseUrl: database.url,
    call,
    /** A pool, and an install key of `standard`. */
    async preparePool(pool: string, installName = 'standard') {
      await call('PUT', `/v1/admin/pools/${encodeURIComponent(pool)}`, { name: pool });
      const { body } = await call('POST', `/v1/admin/booking-systems/${installName}/install-keys`, {});
      const token = await call('POST', `/v1/admin/pools/${encodeURIComponent(pool)}/access-tokens`, {});
      return { installKey: String(body.key), accessToken: String(token.body.token) };
    },
    async close() {
      await host.close();
      await database.drop();
    },
  };
}

export type TestHost = Awaited<ReturnType<typeof startTestHost>>;

/** Waits until a condition holds. */
export async function until<Value>(
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  what: string,
  withinMs = 10_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
