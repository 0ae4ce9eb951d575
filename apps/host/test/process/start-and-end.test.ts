import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { adminToken, isLong, listenLocally, longTest, startSystemFor, until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHost } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { builtProgram, spawnHost, startProgram } from '../harness/program.ts';
import { encryptionKeys, startTestHost } from '../harness/test-host.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('start and end', () => {
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
        const answer = await fetch(`${url}/v1/admin/pools`, {
          headers: { authorization: `Bearer ${token}` },
        });
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
});

describe('draining', () => {
  // Longer than a test may take: whatever ends, ends for another reason.
  const start = (DRAIN_TIME = '10m') => startProgram({ DATABASE_URL: database.url, DRAIN_TIME });

  test('on SIGTERM the host is not ready but still serves requests; a second signal ends it, with status 0', async () => {
    const program = await start();
    await program.makePool('p');
    const { process: child } = program.spawned;
    // Two at once are one: npm passes on what its whole group has got.
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    const refused = await until(
      async () => {
        const answer = await program.call('GET', '/readyz');
        return answer.status === 200 ? undefined : answer;
      },
      'the host to be not ready',
      60_000,
    );
    expect(refused).toMatchObject({ status: 503, body: { code: 'not_ready' } });
    expect(refused.body.message).toContain('about to end');
    for (let call = 0; call < 5; call += 1) {
      const waiver = { answers: { name: 'Ada' } };
      const answer = await program.call('POST', '/v1/pools/p/waivers', waiver);
      expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
      expect((await program.call('GET', '/healthz')).status).toBe(200);
      expect((await program.call('GET', '/readyz')).status).toBe(503);
    }
    expect(child.exitCode).toBeNull();
    // A second signal, later than npm would be.
    const signalling = setInterval(() => child.kill('SIGTERM'), 200);
    expect(await program.spawned.ended).toBe(0);
    clearInterval(signalling);
  });

  longTest('the drain time ends by itself, with status 0', async () => {
    const program = await start('500ms');
    await program.makePool('q');
    program.spawned.process.kill('SIGTERM');
    expect(await program.spawned.ended).toBe(0);
  });

  longTest('SIGINT, which a person sends, does not wait for it', async () => {
    const program = await start();
    program.spawned.process.kill('SIGINT');
    expect(await program.spawned.ended).toBe(0);
  });
});

longTest('the host prints its address, and does not start if the port is taken', async () => {
  const first = await startTestHost();
  onTestFinished(() => first.close());
  const variables = {
    DATABASE_URL: first.databaseUrl,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: encryptionKeys,
  };
  const host = spawnHost({ ...variables, OPERATIONS_PORT: '0' });
  await host.listening;
  const [, operations] = /^operations on (\S+)\nlistening on /m.exec(host.stdout()) ?? [];
  expect((await fetch(`${operations}/healthz`)).status).toBe(200);
  host.process.kill('SIGTERM');
  expect(await host.ended).toBe(0);
  await expect(fetch(`${operations}/healthz`)).rejects.toThrow();
  const taken = spawnHost({ ...variables, OPERATIONS_PORT: new URL(first.url).port, LOG_LEVEL: 'silent' });
  expect(await taken.ended).toBe(1);
  expect(taken.stderr()).toContain('OPERATIONS_PORT: another program listens');
});

test('an api host takes waivers and sends none; a dispatcher host sends them and takes none', async () => {
  const bookingSystem = await startSystemFor('standard', { apiKey: 'k' });
  const api = await startTestHost({ ROLE: 'api' });
  await api.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
  await api.call('PUT', '/v1/admin/pools/p', { name: 'P' });
  await api.call('PUT', '/v1/admin/pools/p/installations/standard', { accountId: 1, apiKey: 'k' });
  const { status, body } = await api.call('POST', '/v1/pools/p/waivers', {
    bookingId: bookingSystem.bookings.all[0]?.id,
    bookingSystem: 'standard',
    answers: { name: 'x' },
  });
  expect(status).toBe(201);
  const state = async () =>
    (await api.call('GET', `/v1/admin/deliveries?waiverId=${body.id}`)).body.items[0].state;
  expect(await state()).toBe('waiting');

  const dispatcher = await createHost(
    readSettings({
      PORT: '0',
      ROLE: 'dispatcher',
      DATABASE_URL: api.databaseUrl,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    }),
  );
  const [update] = await bookingSystem.untilReceived('guest-update', 1);
  expect(update?.body.toString()).toContain(body.id);
  await until(async () => (await state()) === 'delivered', 'the delivery to be recorded');
  const at = async (path: string) => (await fetch(`${dispatcher.url}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/v1/admin/pools'].map(at))).toEqual([
    200, 200, 200, 404,
  ]);
  await dispatcher.close();
  await api.close();
  await bookingSystem.close();
});

const root = new URL('../../../../', import.meta.url);

/**
 * Where a module is imported while the program runs, and why no request has to wait for it. Node.js remembers an import
 * that failed, as it does when the process has no file handle free: on the path of a request, it would fail until a
 * restart.
 */
const known: Readonly<Record<string, string>> = {
  'apps/host/src/composition/create-host.ts': 'at the start',
  'apps/host/src/main.ts': 'at the start',
  'apps/host/src/commands/doctor/doctor.ts': 'a command',
  'packages/alerts/src/mailer.ts': 'when the mailer is created, at the start',
  'packages/forms/src/sentences/sentences.ts': 'preloadSentences loads all at the start',
};

test('no module is imported on the path of a request', () => {
  const files = globSync('{apps/host,packages/*,plugins/*}/src/**/*.ts', { cwd: root });
  const importing = files.filter((file) =>
    /(?<!typeof )\bimport\(/.test(
      readFileSync(new URL(file, root), 'utf8').replaceAll(/^\s*(?:\*|\/\/).*$/gm, ''),
    ),
  );
  expect(importing.toSorted()).toEqual(Object.keys(known).toSorted());
});
