import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import { pino } from 'pino';
import { createHost, type HostOverrides } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { type CallOptions, call } from './call.ts';

export const adminToken = 'admin-token-of-the-tests';
export const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;

/** A host with a database, and calls to it. */
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
    OUTBOUND_TIMEOUT: '20s',
    RETRY_SCHEDULE: '0s,50ms,50ms',
    ...variables,
  });
  const host = await createHost(settings, { logger, ...overrides });

  const callHost = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    call(`${host.url}${path}`, body, { token: adminToken, ...options, method });

  return {
    host,
    url: host.url,
    /** Every line of the log so far. */
    lines,
    databaseUrl: database.url,
    call: callHost,
    /** A pool, and an install key of `standard`. */
    async preparePool(pool: string, installName = 'standard') {
      const asAdmin = async (method: string, path: string, body: unknown) => {
        const answer = await callHost(method, `/v1/admin${path}`, body);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.body;
      };
      const pools = `/pools/${encodeURIComponent(pool)}`;
      await asAdmin('PUT', pools, { name: pool });
      const { key } = await asAdmin('POST', `/booking-systems/${installName}/install-keys`, {});
      const { token } = await asAdmin('POST', `${pools}/access-tokens`, {});
      return { installKey: String(key), accessToken: String(token) };
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
  withinMs = 120_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
