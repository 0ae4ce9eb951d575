import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase } from '@waiver-service/database/testing';
import { startThrowawayPostgres, type ThrowawayPostgres } from '@waiver-service/embedded-postgres/testing';
import { startSystemFor, textAt, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let server: ThrowawayPostgres;
let host: TestHost;
let databaseUrl: string;

beforeAll(async () => {
  server = await startThrowawayPostgres({ max_notify_queue_pages: '64' });
  databaseUrl = (await createEmptyDatabase(server.url)).url;
  host = await startTestHost({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

async function connect() {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Fills the queue of notifications. @returns what ends the session that keeps them */
async function fillNotifyQueue() {
  const [keeper, sender] = await Promise.all([connect(), connect()]);
  await keeper.query('listen kept');
  await keeper.query('begin');
  const fill = async () => {
    for (let round = 0; round < 1_000; round += 1)
      await sender.query(`select pg_notify('kept', $1 || n) from generate_series(1, 10) n`, [
        `${round} ${'x'.repeat(7_000)}`,
      ]);
  };
  await expect(fill()).rejects.toMatchObject({ code: '54000' });
  return async () => {
    await keeper.query('commit');
    await keeper.query('unlisten *');
  };
}

test('while PostgreSQL’s queue of notifications is full, what must be announced is a 503 and can be repeated', async () => {
  const system = await startSystemFor('standard');
  onTestFinished(() => system.close());
  const app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  const installation = '/v1/admin/pools/rafting/installations/standard';
  const share = (shareProperties: readonly string[]) =>
    host.admin('PATCH', installation, { shareProperties });
  expect((await share(['name', 'email'])).status).toBe(200);
  const waiver = { id: 'W-1', answers: { name: 'Ann', email: 'ann@example.com' } };
  expect((await app('POST', '/v1/pools/rafting/waivers', waiver)).status).toBe(201);

  const release = await fillNotifyQueue();
  const refused = await share(['name']);
  expect(refused).toMatchObject({
    status: 503,
    body: {
      code: 'database_unavailable',
      message: expect.stringMatching(/notifications is full.*send the request again/),
    },
  });
  expect(refused.headers.get('retry-after')).toBe('30');
  expect((await host.admin('GET', installation.replace('/standard', ''))).text).toContain('"email"');
  // Announcements that only save time do not prevent a write.
  expect((await app('POST', '/v1/pools/rafting/waivers', { ...waiver, id: 'W-2' })).status).toBe(201);
  const erasure = await host.admin('POST', '/v1/admin/pools/rafting/erasures', { waiverId: 'W-1' });
  expect([202, 503]).toContain(erasure.status);

  await release();
  await until(async () => (await share(['name'])).status === 200, 'the permission to be withdrawn');
  const asked =
    erasure.status === 202
      ? erasure
      : await host.admin('POST', '/v1/admin/pools/rafting/erasures', { waiverId: 'W-1' });
  const path = `/v1/admin/pools/rafting/erasures/${textAt(asked.body, 'id')}`;
  await until(async () => (await host.admin('GET', path)).body.state === 'done', 'the erasure');
});

test('a host is not ready while nothing can be written, and says why', async () => {
  const client = await connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const folder = join(rows[0]?.data_directory ?? '', 'base', 'pgsql_tmp');
  const aside = `${folder}-aside`;
  await until(async () => (await host.admin('GET', '/readyz')).status === 200, 'the host to be ready');
  expect(existsSync(folder)).toBe(true);
  renameSync(folder, aside);
  // No file can be made below a file, as none can on a full disk.
  writeFileSync(folder, '');
  const refusal = await until(async () => {
    const answer = await host.admin('GET', '/readyz');
    return answer.status === 503 && answer;
  }, 'the host not to be ready');
  expect(refusal.body).toMatchObject({
    code: 'not_ready',
    message: expect.stringMatching(/^The database cannot write \(.*\): is its disk full\?$/),
  });
  rmSync(folder);
  renameSync(aside, folder);
  await until(async () => (await host.admin('GET', '/readyz')).status === 200, 'the host to be ready');
});

test('probes of readiness leave nothing behind', async () => {
  const client = await connect();
  const size = async () =>
    (await client.query<{ bytes: number }>('select pg_database_size(current_database())::int as bytes'))
      .rows[0]?.bytes;
  const before = await size();
  for (let probe = 0; probe < 50; probe += 1) expect((await host.admin('GET', '/readyz')).status).toBe(200);
  expect(await size()).toBeLessThan((before ?? 0) + 1_000_000);
});
