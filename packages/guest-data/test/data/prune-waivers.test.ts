import type { Store } from '@waiver-service/store';
import {
  claimAll,
  deliver,
  type FurnishedOutbox,
  furnishOutbox,
  openTestStore,
  waiver,
} from '@waiver-service/store/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createPruneWaiversJob } from '../../src/data/prune-waivers.ts';

const dayMs = 86_400_000;

/** Runs one round. @returns how many were pruned */
async function prune({ context }: Store): Promise<number> {
  let pruned = 0;
  const job = createPruneWaiversJob(context, 3_600_000, (count) => {
    pruned += count;
  });
  while (await job.runBatch());
  return pruned;
}

/** Without guests' data among its features, the store itself removes no waivers. */
async function open(furnished: FurnishedOutbox = {}) {
  const { store, ...opened } = await openTestStore();
  onTestFinished(opened.close);
  await furnishOutbox(store, furnished);
  return { ...opened, store };
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const bornYearsAgo = (years: number, days = 0) => {
  const today = new Date(Date.now() + days * dayMs).toISOString();
  return `${Number(today.slice(0, 4)) - years}${today.slice(4, 10)}`;
};

test('a waiver goes with all that belongs to it, so many days after the visit', async () => {
  const { store, query } = await open();
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 30 } });
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.waivers.create(waiver({ id: 'old', lastVisit: daysAgo(31) }));
  await store.waivers.create(waiver({ id: 'new', lastVisit: daysAgo(29) }));
  await store.waivers.create(
    waiver({ id: 'elsewhere', pool: 'p2', bookingId: null, lastVisit: daysAgo(31) }),
  );
  for (const each of await claimAll(store)) await deliver(store, each);
  expect(await prune(store)).toBe(1);
  expect(await query('select id from waiver order by id')).toEqual([{ id: 'elsewhere' }, { id: 'new' }]);
  expect(await query('select id from waiver_id order by id')).toEqual([{ id: 'elsewhere' }, { id: 'new' }]);
  expect(await query('select distinct waiver_id from delivery')).toEqual([{ waiver_id: 'new' }]);
  expect(await query('select from attempt where delivery not in (select id from delivery)')).toEqual([]);
  expect(await query(`select id from waiver_search where id = 'old'`)).toEqual([]);
  // The id is free again.
  expect(await store.waivers.create(waiver({ id: 'old' }))).toMatchObject({ outcome: 'created' });
  expect(await prune(store)).toBe(0);
});

test('a pool whose waivers cannot be removed keeps no other pool from its retention', async () => {
  const { store, query } = await open({ installed: false, webhook: false });
  for (const pool of ['p1', 'p2']) {
    await store.pools.put({ id: pool, name: pool, retention: { waiversDays: 30 } });
    await store.waivers.create(waiver({ id: `of ${pool}`, pool, bookingId: null, lastVisit: daysAgo(31) }));
  }
  await query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`,
  );
  await query(`create trigger refuse before delete on waiver for each row
    when (old.pool = 'p1') execute function refuse()`);
  const job = createPruneWaiversJob(store.context, 3_600_000, () => {});
  await expect(job.runBatch()).rejects.toThrow('not now');
  while (await job.runBatch());
  expect(await query('select id from waiver')).toEqual([{ id: 'of p1' }]);
});

test('for a minor the days count from the 18th birthday, where the date of birth is known', async () => {
  const { store, query } = await open({ installed: false, webhook: false });
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 10 } });
  const sign = (id: string, answers: NonNullable<Parameters<typeof waiver>[0]>['answers']) =>
    store.waivers.create(waiver({ id, lastVisit: daysAgo(11), answers: { name: 'Kim', ...answers } }));
  await sign('child', { minor: true, dateOfBirth: bornYearsAgo(10) });
  await sign('just of age', { minor: true, dateOfBirth: bornYearsAgo(18, -9) });
  await sign('of age', { minor: true, dateOfBirth: bornYearsAgo(18, -12) });
  await sign('minor of unknown age', { minor: true });
  await sign('not said to be a minor', { dateOfBirth: bornYearsAgo(10) });
  await sign('no minor', { minor: false, dateOfBirth: bornYearsAgo(10) });
  expect(await prune(store)).toBe(4);
  expect(await query('select id from waiver order by id')).toEqual([{ id: 'child' }, { id: 'just of age' }]);
});

test('a hold keeps it, and so does a message that waits, for 30 days more', async () => {
  const { store, query } = await open({ installed: false });
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 10 } });
  await store.waivers.create(waiver({ id: 'held', lastVisit: daysAgo(60) }));
  await store.waivers.create(waiver({ id: 'erased', lastVisit: daysAgo(60) }));
  await store.waivers.create(waiver({ id: 'waits', lastVisit: daysAgo(39) }));
  await store.waivers.create(waiver({ id: 'waits too long', lastVisit: daysAgo(41) }));
  await store.holds.place('p1', 'held', { reason: 'a claim', by: 'x' });
  await query(`update waiver set erasure = 'e1' where id = 'erased'`);
  expect(await prune(store)).toBe(1);
  expect(await query('select id from waiver order by id')).toEqual([
    { id: 'erased' },
    { id: 'held' },
    { id: 'waits' },
  ]);
  await store.holds.release('p1', 'held');
  expect(await prune(store)).toBe(1);
});

test('nothing of a waiver goes while one of its messages waits', async () => {
  const { store, query } = await open();
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 10 } });
  await store.waivers.create(waiver({ id: 'w1', lastVisit: daysAgo(20) }));
  const [first] = await claimAll(store);
  if (first) await deliver(store, first);
  expect(await prune(store)).toBe(0);
  expect(await query('select id from delivery')).toHaveLength(2);
});

test('two hosts prune at once', async () => {
  const { store, query } = await open({ installed: false });
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 10 } });
  await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      store.waivers.create(waiver({ id: `w${index}`, lastVisit: daysAgo(20) })),
    ),
  );
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store))
    for (const each of claimed) await deliver(store, each);
  // One may leave what the other has locked; the next round has it.
  const [one, other] = await Promise.all([prune(store), prune(store)]);
  expect(one + other + (await prune(store))).toBe(150);
  expect(await query('select id from waiver union all select waiver_id from delivery')).toEqual([]);
});

test('one that cannot be removed at the moment does not keep the others of its pool', async () => {
  const { store } = await open({ installed: false });
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 10 } });
  await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      store.waivers.create(waiver({ id: `w${index}`, lastVisit: daysAgo(20) })),
    ),
  );
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store))
    for (const each of claimed) await deliver(store, each);
  await store.context.database.transaction().execute(async (other) => {
    await sql`select from delivery where waiver_id = 'w0' for update`.execute(other);
    expect(await prune(store)).toBe(119);
  });
  expect(await prune(store)).toBe(1);
});

/** The same rule once more, by the calendar of `Date`. */
function startOf(lastVisit: Date, { minor, dateOfBirth }: { minor: boolean; dateOfBirth: string }): number {
  if (!minor) return lastVisit.getTime();
  const [year = 0, month = 0, day = 0] = dateOfBirth.split('-').map(Number);
  const birthday = new Date(0);
  birthday.setUTCFullYear(year + 18, month - 1, day);
  birthday.setUTCHours(12);
  return Math.max(lastVisit.getTime(), birthday.getTime());
}

test('the beginning of a retention does not depend on the session’s time zone, and knows leap years', async () => {
  const { query } = await open({ installed: false, webhook: false });
  const zones = ['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Europe/Berlin', 'Pacific/Pago_Pago'];
  const start = async (lastVisit: Date, answers: object) => {
    const [row] = await query('select retention_start($1, $2) as at', [lastVisit, JSON.stringify(answers)]);
    return row?.at instanceof Date ? row.at.toISOString() : row?.at;
  };
  const visit = new Date('2020-07-01T09:00:00.000Z');
  expect(await start(visit, { minor: true, dateOfBirth: '2008-02-29' })).toBe('2026-03-01T12:00:00.000Z');
  expect(await start(visit, { minor: true, dateOfBirth: '2008-02-28' })).toBe('2026-02-28T12:00:00.000Z');
  for (const odd of ['2008-13-01', '2008-2-1', 'soon', 20080201, null])
    expect(await start(visit, { minor: true, dateOfBirth: odd })).toBe(visit.toISOString());
  expect(await start(visit, { minor: 'true', dateOfBirth: '2008-02-01' })).toBe(visit.toISOString());
  const time = (from: string, until: string) =>
    fc.date({ min: new Date(from), max: new Date(until), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(
      time('1950-01-01', '2100-01-01'),
      time('1850-01-01', '2100-01-01'),
      fc.boolean(),
      fc.constantFrom(...zones),
      async (lastVisit, born, minor, zone) => {
        await query(`set time zone '${zone}'`);
        const answers = { minor, dateOfBirth: born.toISOString().slice(0, 10) };
        expect(await start(lastVisit, answers)).toBe(new Date(startOf(lastVisit, answers)).toISOString());
      },
    ),
    { numRuns: 200 },
  );
});
