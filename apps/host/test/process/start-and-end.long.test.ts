import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { adminToken, until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnHost } from '../harness/spawned-host.ts';
import { encryptionKeys } from '../harness/test-host.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const variables = () => ({
  DATABASE_URL: database.url,
  ADMIN_TOKEN: adminToken,
  ENCRYPTION_KEYS: encryptionKeys,
  OUTBOUND_ALLOW: '127.0.0.0/8',
});

describe('an orderly end', () => {
  test('a signal ends a start that makes no progress', async () => {
    const silent = createTcpServer();
    silent.listen(0, '127.0.0.1');
    const address = await until(() => silent.address() ?? undefined, 'a port');
    const port = typeof address === 'object' ? address.port : 0;
    const connected = once(silent, 'connection');
    const host = spawnHost({ ...variables(), DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` });
    const [socket] = await connected;
    host.process.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    socket.destroy();
    silent.close();
  });
});

test.runIf(process.getuid?.() === 0)(
  'where the database cannot lie in DATA_DIR, each start says on standard output where it lies',
  async () => {
    // Root's own, which no other user enters.
    const closed = mkdtempSync(join(tmpdir(), 'waiver-host-'));
    let folder = '';
    try {
      for (const start of ['first', 'second']) {
        const host = spawnHost({ DATA_DIR: join(closed, 'data'), LOG_LEVEL: 'silent' });
        await host.listening;
        const [, said = ''] = /^the database is in (\S+), not in /m.exec(host.stdout()) ?? [];
        expect(said).toMatch(/^\/var\/lib\/waiver-service\/[0-9a-f]{16}$/);
        if (start === 'second') expect(said).toBe(folder);
        folder = said;
        host.process.kill('SIGTERM');
        expect(await host.ended).toBe(0);
      }
    } finally {
      rmSync(closed, { recursive: true });
      if (folder !== '') rmSync(folder, { recursive: true });
    }
  },
);
