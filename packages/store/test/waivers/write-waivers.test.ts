import { enqueue } from '@waiver-service/outbox';
import { type CreationPlan, draftUpdate, planChange, planCreation } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import { bookingIds } from '../../src/database/destination-owners.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { batchesOf, updateWaivers, writeIsolated } from '../../src/waivers/write-waivers.ts';
import { openDatabase } from '../setup/open-database.ts';
import { openOutbox } from '../setup/open-outbox.ts';

const planOf = (id: string): CreationPlan =>
  planCreation(
    { ...waiver(), id },
    { now: new Date(), recipients: { installations: [], webhooks: [] }, sessions: [] },
  );

test('a body that several webhooks are sent is passed to PostgreSQL once', () => {
  const database = openDatabase('postgres://never-connected');
  const webhooks = [['essay'], ['essay'], ['essay', 'name']].map((properties, place) => ({
    destination: `hook-${place}`,
    permissionVersion: 0,
    properties,
  }));
  const { messages } = planCreation(
    { ...waiver({ answers: { name: 'Ann', essay: 'long text' } }), id: 'w1' },
    { now: new Date(), recipients: { installations: [], webhooks }, sessions: [] },
  );
  expect(messages).toHaveLength(3);
  const { parameters } = enqueue(messages, bookingIds).compile(database);
  expect(parameters.join().match(/long text/g)).toHaveLength(2);
});

test('batches end by their number and by their size, and a large item is a batch by itself', () => {
  const sizes = (items: readonly number[]) => batchesOf(items, (bytes) => bytes).map(({ length }) => length);
  expect(sizes(Array.from({ length: 130 }, () => 100))).toEqual([64, 64, 2]);
  expect(sizes(Array.from({ length: 5 }, () => 512 * 1024))).toEqual([2, 2, 1]);
  expect(sizes([10, 2_000_000, 10, 10])).toEqual([1, 1, 2]);
  expect(sizes([])).toEqual([]);
});

test.each([new RangeError('Invalid string length'), new TypeError('cannot be serialized')])(
  'of waivers whose statement cannot be made (%s), only the one at fault fails',
  async (error) => {
    const stored: string[] = [];
    const results = await writeIsolated(
      ['a', 'b', 'c', 'd', 'e'].map(planOf),
      async (plans) => {
        const ids = plans.map(({ next }) => next.id);
        if (ids.includes('d')) throw error;
        stored.push(...ids);
        return { changed: ids, enqueued: 0 };
      },
      () => {},
    );
    expect(stored).toEqual(['a', 'b', 'c', 'e']);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  },
);

test('waivers that may have been written, as their connection was lost, are not written again', async () => {
  let calls = 0;
  const results = await writeIsolated(
    ['a', 'b'].map(planOf),
    async () => {
      calls += 1;
      throw new Error('Connection terminated unexpectedly');
    },
    () => {},
  );
  expect(calls).toBe(1);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a change that was planned before an erasure was requested is not stored after it', async () => {
  const { store, query, url } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: { name: 'Ann' } }));
  const former = await store.waivers.get('p1', 'w1');
  const drafted = former && draftUpdate(former, { answers: { name: 'X' } });
  if (drafted === undefined || 'refusal' in drafted) throw new Error('nothing is drafted');
  const recipients = { installations: [], webhooks: [] };
  const context = { now: new Date(), recipients, sessions: [], staysInBooking: true };
  const plan = planChange(drafted.draft, context);
  // As the request marks it; the job has not come to it yet.
  await query(`update waiver set erasure = 'e1'`);
  const database = openDatabase(url);
  expect(await updateWaivers(database, [plan])).toEqual({ changed: [], enqueued: 0 });
});
