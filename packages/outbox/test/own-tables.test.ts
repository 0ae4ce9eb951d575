import { createConnectionRenewal, createNotifications, Schema } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { migrations, type OwnTables } from '../src/data/tables.ts';
import {
  type ClaimedDelivery,
  createOutbox,
  enqueuing,
  type FinishedDelivery,
  openDestination,
  reopenMessages,
} from '../src/index.ts';
import { channels } from '../src/outbox-context.ts';

const nothing = sql``;

/** An outbox in a database that has no other tables, with an owner of all shards. */
async function openOutbox() {
  const { url, drop } = await createTestDatabase({ empty: true });
  const schema = new Schema<OwnTables>({ migrations, afterMigrating: async () => {} });
  await schema.migrate(url);
  const database = schema.connect({
    databaseUrl: url,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  const notifications = createNotifications({
    channels,
    database,
    settings: schema.connectionSettings(url),
    renewal: createConnectionRenewal(),
  });
  onTestFinished(async () => {
    await notifications.close();
    await database.destroy();
    await drop();
  });
  const outbox = createOutbox({
    database,
    notifications,
    owners: {
      settings: {
        joins: nothing,
        version: sql`''`,
        bookingSystem: sql`null::text`,
        listed: sql`null::text[]`,
      },
      guests: { joins: nothing, lackBookingIds: sql`false` },
    },
    report: async () => {},
    onHeld: () => {},
    onPruned: () => {},
  });
  const dispatcher = await outbox.registerDispatcher(60_000);
  await outbox.balanceShards(dispatcher, []);
  const destination = await database
    .transaction()
    .execute((transaction) => openDestination(transaction, { pool: '', kind: 'alert' }));

  const claim = async (retrying = false) =>
    outbox.claim({
      dispatcher,
      epoch: 0,
      shares: [{ destination, slots: 10, busyLanes: [] }],
      limit: 10,
      retrying,
    });
  return {
    database,
    outbox,
    claim,
    async enqueue(body: string, key = body) {
      await sql`
with message as (
  select gen_random_uuid() as id, '' as pool, ${destination} as destination, ${key} as ordering_key, ${body} as body),
${enqueuing('alert')}
select from message`.execute(database);
    },
    record: (claimed: readonly ClaimedDelivery[], decision: FinishedDelivery['decision']) =>
      outbox.record(
        dispatcher,
        claimed.map((each) => ({
          ...each,
          decision,
          inDoubt: false,
          attempt: {
            at: new Date(),
            durationMs: 5,
            outcome: decision.kind === 'delivered' ? 'accepted' : 'refused',
            trigger: each.trigger,
          },
        })),
      ),
    async waiting() {
      const { rows } = await sql<{ waits: boolean }>`select exists (select from pending) as waits`.execute(
        database,
      );
      return rows[0]?.waits;
    },
  };
}

const bodies = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ body }) => body);

test('the outbox needs no tables but its own: messages of a lane are claimed one after the other, and end', async () => {
  const { enqueue, claim, record, waiting } = await openOutbox();
  await enqueue('first', 'lane');
  await enqueue('second', 'lane');
  const first = await claim();
  expect(bodies(first)).toEqual(['first']);
  await record(first, { kind: 'delivered' });
  const second = await claim();
  expect(bodies(second)).toEqual(['second']);
  await record(second, { kind: 'delivered' });
  expect(await waiting()).toBe(false);
});

test('a message that was given up waits again when it is reopened', async () => {
  const { database, enqueue, claim, record, waiting } = await openOutbox();
  await enqueue('given up');
  const claimed = await claim();
  await record(claimed, { kind: 'dead' });
  expect(await waiting()).toBe(false);
  const ids = claimed.map(({ id }) => id);
  const reopened = await database.transaction().execute((transaction) => reopenMessages(transaction, ids));
  expect([...reopened]).toEqual(ids);
  expect(bodies(await claim())).toEqual(['given up']);
});
