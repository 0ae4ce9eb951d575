import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import type { FormContent } from '@waiver-service/forms';
import {
  adminToken,
  callsOf,
  type CheckInHost as PreparedHost,
  prepareCheckIn,
} from '@waiver-service/testing';
import { pino } from 'pino';
import { createHost, type HostOverrides } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';

export const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;

/** A host of all features with a database, and calls to it. */
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
  return {
    host,
    url: host.url,
    /** Every line of the log so far. */
    lines,
    databaseUrl: database.url,
    ...callsOf(host.url),
    async close() {
      await host.close();
      await database.drop();
    },
  };
}

export type TestHost = Awaited<ReturnType<typeof startTestHost>>;

export type CheckInHost = PreparedHost<TestHost>;

/** Starts a host where guests can sign. */
export const startCheckInHost = (
  variables: Readonly<Record<string, string>> = {},
  content?: FormContent,
): Promise<CheckInHost> => prepareCheckIn(startTestHost(variables), content);
