import {
  createConnectionRenewal,
  createNotifications,
  plannerSettings,
  plugins,
} from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { createOutbox, type FinishedDelivery } from '@waiver-service/outbox';
import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { planCreation } from '@waiver-service/waivers';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { destinationOwners } from '../../src/database/destination-owners.ts';
import { channels } from '../../src/database/notifications.ts';
import { schema } from '../../src/database/schema.ts';
import type { Database } from '../../src/database/tables.ts';
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts';
import { insertWaivers } from '../../src/waivers/write-waivers.ts';

const messagesOfEach = 400;
const claimed = 200;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** 4,000 messages that wait, and statistics of a moment at which none did. */
async function openBacklog() {
  const { url, drop } = await createTestDatabase();
  const pool = new Pool(schema.connectionSettings(url));
  pool.on('connect', (client) => client.query(plannerSettings));
  // An idle connection that breaks when the database is dropped.
  pool.on('error', () => {});
  const statements: Statement[] = [];
  const database: Database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins,
    log: ({ query }) => void statements.push(query),
  });
  const notifications = createNotifications({
    channels,
    database,
    settings: schema.connectionSettings(url),
    renewal: createConnectionRenewal(),
  });
  const outbox = createOutbox({
    database,
    notifications,
    owners: destinationOwners,
    report: async () => {},
    onHeld: () => {},
    onPruned: () => {},
  });
  const lanes = openWaitingLanes(url);
  onTestFinished(async () => {
    await lanes.close();
    await notifications.close();
    await database.destroy();
    await drop();
  });
  const destinations = await lanes.seed(Array.from({ length: 10 }, () => messagesOfEach));
  await lanes.settle();
  await pool.query('vacuum analyze');
  await lanes.waitAgain();
  const dispatcher = await outbox.registerDispatcher(60_000);
  await outbox.balanceShards(dispatcher, []);
  statements.length = 0;

  /** The executed plan of the last statement of the given kind, in JSON. Its changes are rolled back. */
  async function planOf(isMeant: (text: string) => boolean, settings = 'select 1'): Promise<string> {
    const statement = statements.findLast(({ sql }) => isMeant(sql));
    if (statement === undefined) throw new Error('no such statement');
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(settings);
      const { rows } = await client.query(`explain (analyze, format json) ${statement.sql}`, [
        ...statement.parameters,
      ]);
      return JSON.stringify(rows);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** Rows that the last statement of the given kind looked at and did not use, at its worst place. */
  async function lookedAtInVain(isMeant: (text: string) => boolean, settings?: string): Promise<number> {
    const plan = await planOf(isMeant, settings);
    expect(plan).not.toContain(
      '"Seq Scan","Parallel Aware":false,"Async Capable":false,"Relation Name":"pending"',
    );
    const removed = [...plan.matchAll(/"Rows Removed by [^"]+":(\d+)/g)].map(([, count]) => Number(count));
    const read = [
      ...plan.matchAll(/"Relation Name":"pending"[^{}]*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)/g),
    ];
    return Math.max(0, ...removed, ...read.map(([, rows, loops]) => Number(rows) * Number(loops)));
  }
  const statementsAbout = (name: string) => statements.find(({ sql }) => sql.includes(name))?.sql ?? '';
  return { database, outbox, destinations, dispatcher, planOf, lookedAtInVain, statementsAbout };
}

test('a list of deliveries looks up only the rows that it shows, even with statistics of an empty table', async () => {
  const { database, lookedAtInVain } = await openBacklog();
  const { items } = await listDeliveries(database, {}, { limit: 50 });
  expect(items.map(({ state }) => state)).toEqual(Array.from({ length: 50 }, () => 'waiting'));
  expect(await lookedAtInVain((text) => text.includes('order by d.id desc'))).toBeLessThanOrEqual(51);
});

test('a claim reads only the rows that it claims, even with statistics of an empty table', async () => {
  const { outbox, destinations, dispatcher, lookedAtInVain } = await openBacklog();
  const shares = destinations.map((destination) => ({ destination, slots: claimed, busyLanes: [] }));
  const request = { dispatcher, epoch: 0, shares, limit: claimed, retrying: false };
  expect(await outbox.claim(request)).toHaveLength(claimed);
  expect(await lookedAtInVain((text) => text.includes('insert into journal'))).toBeLessThan(2 * claimed);
});

test('so does a look for work', async () => {
  const { outbox, dispatcher, lookedAtInVain } = await openBacklog();
  const { work } = await outbox.findWork({ dispatcher, after: '', busyLanes: new Map() });
  expect(work).toHaveLength(10);
  expect(await lookedAtInVain((text) => text.includes('recursive walk'))).toBeLessThan(50);
});

test('so does a record of attempts, accepted or not', async () => {
  const { outbox, destinations, dispatcher, lookedAtInVain, statementsAbout } = await openBacklog();
  const shares = destinations.map((destination) => ({ destination, slots: claimed, busyLanes: [] }));
  const sent = await outbox.claim({ dispatcher, epoch: 0, shares, limit: claimed, retrying: false });
  const ended = (deliveries: typeof sent, decision: FinishedDelivery['decision']) =>
    deliveries.map(
      (each): FinishedDelivery => ({
        ...each,
        decision,
        inDoubt: false,
        attempt: { at: new Date(), durationMs: 5, outcome: 'accepted', trigger: 'schedule' },
      }),
    );
  const retry = { kind: 'retry', waitMs: 0, usesAttempt: true } as const;
  expect((await outbox.record(dispatcher, ended(sent, retry))).length).toBe(claimed);
  const own = statementsAbout('enable_hashjoin');
  expect(await lookedAtInVain((text) => text.includes('judged'), own)).toBeLessThan(3 * claimed);
  const again = await outbox.claim({ dispatcher, epoch: 0, shares, limit: claimed, retrying: true });
  const delivered = ended(again, { kind: 'delivered' });
  expect((await outbox.record(dispatcher, delivered)).length).toBe(claimed);
  expect(await lookedAtInVain((text) => text.includes("'accepted'"))).toBeLessThan(2 * claimed);
});

test('so does a change that enqueues', async () => {
  const { database, destinations, lookedAtInVain } = await openBacklog();
  const [destination = ''] = destinations;
  const waiverId = `waiver-${destination}-1`;
  const created = planCreation(
    { id: waiverId, pool: 'measured' },
    { now: new Date(), recipients: { installations: [], webhooks: [] }, sessions: [] },
  );
  const message = {
    destination,
    permissionVersion: 0,
    kind: 'guest-webhook' as const,
    pool: 'measured',
    waiverId,
    version: 2,
    bookingId: null,
    takeback: false,
    body: '{"guest":{}}',
  };
  const plan = { ...created, next: { ...created.next, version: 2 }, messages: [message] };
  expect((await insertWaivers(database, [plan])).changed).toEqual([waiverId]);
  expect(await lookedAtInVain((text) => text.includes('superseded as'))).toBeLessThan(20);
});

test('a claim reads only the settings of destinations that it needs to be filled', async () => {
  const { outbox, destinations, dispatcher, planOf } = await openBacklog();
  const shares = destinations.map((destination) => ({ destination, slots: claimed / 2, busyLanes: [] }));
  const sent = await outbox.claim({ dispatcher, epoch: 0, shares, limit: claimed, retrying: false });
  expect(new Set(sent.map(({ destination }) => destination))).toEqual(new Set(destinations.slice(0, 2)));
  const plan = await planOf((text) => text.includes('insert into journal'));
  const [, loops] = /"Relation Name":"destination"[^{}]*?"Actual Loops":(\d+)/.exec(plan) ?? [];
  expect(Number(loops)).toBe(2);
});
