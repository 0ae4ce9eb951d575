import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { adminToken, isLong, listenLocally, longTest, startSystemFor } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgram, spawnHost } from '../harness/spawned-host.ts';
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
const asAdmin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
const send = (url: string, method: string, body: object) =>
  fetch(url, { method, headers: asAdmin, body: JSON.stringify(body) });

describe('a wrong start', () => {
  test('ends with status 1 and a sentence for each variable', async () => {
    const host = spawnHost({ DATABASE_URL: 'postgres://x/y' });
    expect(await host.ended).toBe(1);
    expect(host.stderr()).toMatch(/^ADMIN_TOKEN must be set.*\nENCRYPTION_KEYS must be set.*\n$/);
    expect(host.stdout()).toBe('');
  });
});

test('the program takes no arguments, and says what to call for commands', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [builtProgram, 'verify', 'x'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('not "verify x"');
  expect(stderr).toContain('npx --no-install waiver-service --help');
});

describe('an orderly end', () => {
  longTest('a signal ends a start that makes no progress', async () => {
    const silent = createTcpServer();
    const port = await listenLocally(silent);
    const connected = once(silent, 'connection');
    const host = spawnHost({ ...variables(), DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` });
    const [socket] = await connected;
    host.process.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    socket.destroy();
    silent.close();
  });

  test('SIGTERM, once or twice, ends it with status 0', async () => {
    const host = spawnHost(variables());
    const url = await host.listening;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    host.process.kill('SIGTERM');
    host.process.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    expect(host.stdout()).toBe(`listening on ${url}\n`);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  test('requests in flight are finished, new ones are not accepted', async () => {
    const bookingSystem = await startSystemFor('standard', { apiKey: 'k' });
    const bookingId = bookingSystem.bookings.all[0]?.id ?? '';
    const host = spawnHost(variables());
    const url = await host.listening;
    await send(`${url}/v1/admin/booking-systems/standard`, 'PUT', { baseUrl: bookingSystem.url });
    await send(`${url}/v1/admin/pools/p`, 'PUT', { name: 'P' });
    await send(`${url}/v1/admin/pools/p/installations/standard`, 'PUT', { accountId: 1, apiKey: 'k' });
    bookingSystem.faults.next('read', { kind: 'latency', milliseconds: 1_000 });
    const inFlight = fetch(`${url}/v1/pools/p/bookings/${encodeURIComponent(bookingId)}`, {
      headers: asAdmin,
    });
    await bookingSystem.untilReceived('read', 1);
    host.process.kill('SIGTERM');
    const answer = await inFlight;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await host.ended).toBe(0);
    await bookingSystem.close();
  });
});

test('without settings it starts with its own database, stores its secrets privately and finds them again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waiver-host-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
  try {
    let token = '';
    for (const start of ['first', 'second']) {
      const host = spawnHost({ DATA_DIR: dataDir });
      const url = await host.listening;
      expect(host.stdout()).toBe(
        `the admin token is in ${join(dataDir, 'admin-token')}\nlistening on ${url}\n`,
      );
      const kept = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
      if (start === 'second') expect(kept).toBe(token);
      token = kept;
      const answer = await fetch(`${url}/v1/admin/pools`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      expect(host.stdout() + host.stderr()).not.toContain(token);
      host.process.kill('SIGTERM');
      expect(await host.ended).toBe(0);
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test.runIf(isLong && process.getuid?.() === 0)(
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
