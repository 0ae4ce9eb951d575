import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHost } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { adminToken, encryptionKeys } from '../harness/test-host.ts';

const secrets = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEYS: encryptionKeys };
const password = 'planted-password';

/** Why a host does not start. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  const settings = readSettings({ PORT: '0', ...variables });
  const { message } = await createHost(settings, { logger: pino({ level: 'silent' }) }).then(
    () => expect.fail('the host starts'),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  expect(message).not.toContain(password);
  return message;
}

const refusalOfDatabase = (url: string) => refusalOf({ ...secrets, DATABASE_URL: url });

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('a database that cannot be used', () => {
  const at = (port: number | string) => `postgres://u:${password}@127.0.0.1:${port}/x`;

  test('the listener does not speak PostgreSQL’s protocol', async () => {
    const port = await listening(
      createServer((socket) => void socket.on('error', () => {}).write('SSH-2.0-x\r\n')),
    );
    expect(await refusalOfDatabase(at(port))).toMatch(/DATABASE_URL: there is no answer.*not be PostgreSQL/);
  });
});
