import { report, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { keepSigning, messagesOutOfOrder } from '../harness/keep-signing.ts';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import { startProgram } from '../harness/program.ts';
import { untilNothingWaits, untilRecorded } from '../harness/recorded-writes.ts';
import { makeSendingPool, startTimedReceiver } from '../harness/timed-receiver.ts';

type Query = (text: string) => Promise<Record<string, unknown>[]>;

async function startServer() {
  const server = await startOwnPostgres();
  onTestFinished(() => server.remove());
  const query: Query = async (text) => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return { server, query };
}

/** The number of rows of each table, and a checksum of them. */
async function contentOf(query: Query): Promise<Record<string, string>> {
  const tables = await query(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`,
    );
    found[String(name)] = String(row?.sum);
  }
  return found;
}

/** Where the replica reads: the server's socket, as libpq writes it. */
function connectionStringOf(url: string): string {
  const host = new URLSearchParams(url.split('?')[1]).get('host');
  return `host=${host} dbname=postgres user=waiver_service`;
}

test('a running service replicated logically into a second PostgreSQL: every table is equal, and hosts go on there', async () => {
  const [present, next] = await Promise.all([startServer(), startServer()]);
  await present.query('alter system set wal_level = logical');
  await present.server.stop();
  await present.server.start();
  const receiver = await startTimedReceiver(() => 'taken');
  onTestFinished(() => receiver.close());
  const fleet = createFleet({ DATABASE_URL: present.server.url });
  const host = await fleet.join();
  const token = await makeSendingPool(host, receiver);
  const [{ id: webhookId }] = (await host.done('GET', '/v1/admin/pools/p/webhooks')).items;
  const load = keepSigning(callInTurn(fleet, token));

  await receiver.untilMore();
  await present.query(documentedBlock('docs/operating.md', 'CREATE PUBLICATION'));
  const first = await startProgram({ DATABASE_URL: next.server.url });
  expect(await first.stop()).toBe(0);
  await next.query(documentedBlock('docs/operating.md', 'DO $$ BEGIN EXECUTE'));
  await next.query(
    documentedBlock('docs/operating.md', 'CREATE SUBSCRIPTION').replace(
      /'host=.*?'/,
      `'${connectionStringOf(present.server.url)}'`,
    ),
  );
  const isCopied = async () =>
    (await next.query(documentedBlock('docs/operating.md', 'SELECT count(*) FROM pg_subs')))[0]?.count ===
    '0';
  await until(isCopied, 'the tables to be copied', 60_000);
  await receiver.untilMore();
  // Of each kind of table something changes and something goes.
  await host.done('PATCH', `/v1/admin/pools/p/webhooks/${webhookId}`, { properties: ['name'] });
  const guest = { id: 'W-guest', answers: { name: 'Zoë', email: 'zoe@example.com' } };
  await host.done('POST', '/v1/pools/p/waivers', guest, { token });
  const erasure = await host.done('POST', '/v1/admin/pools/p/erasures', { email: 'zoe@example.com' });
  const isErased = async () =>
    (await host.done('GET', `/v1/admin/pools/p/erasures/${erasure.id}`)).state === 'done';
  await until(isErased, 'the guest to be erased', 60_000);
  await receiver.untilMore();
  const last = await load.end();
  await untilNothingWaits(host);
  const waivers = await host.done('GET', '/v1/pools/p/waivers?limit=100', undefined, { token });
  expect(await host.stop()).toBe(0);

  const isReplayed = async () =>
    (await present.query(documentedBlock('docs/operating.md', 'SELECT bool_and')))[0]?.done === true;
  await until(isReplayed, 'the replica to have followed', 60_000);
  const content = await contentOf(present.query);
  expect(await contentOf(next.query)).toEqual(content);
  for (const { statement } of await present.query(
    documentedBlock('docs/operating.md', "SELECT format('SELECT setval"),
  ))
    await next.query(String(statement));
  await next.query(documentedBlock('docs/operating.md', 'DROP SUBSCRIPTION'));
  await present.server.stop();

  const moved = await startProgram({ DATABASE_URL: next.server.url });
  expect(await moved.done('GET', '/v1/pools/p/waivers?limit=100', undefined, { token })).toEqual(waivers);
  const found = await moved.done('GET', '/v1/pools/p/waivers?search=ada&limit=1', undefined, { token });
  expect(found.items).toHaveLength(1);
  const again = { id: 'W-moved', bookingId: 'B-1', answers: { name: 'Ada' } };
  const { updatedAt } = await moved.done('POST', '/v1/pools/p/waivers', again, { token });
  last.set('W-moved', updatedAt);
  await untilRecorded({ host: moved, receiver }, last);
  report({
    tables: Object.keys(content).length,
    writes: load.accepted.length,
    messages: receiver.messages.length,
  });
  expect(messagesOutOfOrder(receiver.messages)).toEqual([]);
  expect(await moved.stop()).toBe(0);
}, 300_000);
