import { expect, test } from 'vitest';
import { type OverviewRequest, openStore } from '../../src/index.ts';
import { createBucketCache } from '../../src/overview/bucket-cache.ts';
import { testKey } from '../setup/open-test-store.ts';
import { openOutbox } from '../setup/outbox-fixture.ts';

const minuteMs = 60_000;
const bucketMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;

/** A cache at the time `clock.now` over buckets without an attempt, and from when on each call read them. */
function openCache() {
  const clock = { now: 1_000 * hourMs };
  const readFrom: number[] = [];
  const read = createBucketCache(
    async ({ since }) => {
      const start = since.getTime();
      readFrom.push(start);
      const length = Math.floor((clock.now - start) / bucketMs) + 1;
      return Array.from({ length }, (_, index) => ({
        at: new Date(start + index * bucketMs),
        delivered: 0,
        failed: 0,
        medianMs: null,
        p95Ms: null,
      }));
    },
    () => clock.now,
  );
  const readDay = async (pools?: readonly string[]) => {
    const since = Math.floor(clock.now / bucketMs) * bucketMs - 95 * bucketMs;
    const buckets = await read({ pools, since: new Date(since), bucketMs });
    expect(buckets.map(({ at }) => at.getTime())).toEqual(
      Array.from({ length: 96 }, (_, index) => since + index * bucketMs),
    );
    return { since, readFrom: readFrom.splice(0) };
  };
  return { clock, read, readFrom, readDay };
}

test('a bucket is read again until it has been over for five minutes, and all of them after an hour', async () => {
  const { clock, readDay } = openCache();
  const start = clock.now;
  const first = await readDay();
  expect(first.readFrom).toEqual([first.since]);
  expect((await readDay()).readFrom).toEqual([start - bucketMs]);
  clock.now = start + 5 * minuteMs - 1;
  await readDay();
  expect((await readDay()).readFrom).toEqual([start - bucketMs]);
  clock.now = start + 5 * minuteMs;
  await readDay();
  expect((await readDay()).readFrom).toEqual([start]);
  clock.now = start + hourMs - 1;
  expect((await readDay()).readFrom).toEqual([start]);
  clock.now = start + hourMs;
  const later = await readDay();
  expect(later.readFrom).toEqual([later.since]);
});

test('another window, other pools and the least recently read of 200 are read as a whole', async () => {
  const { clock, read, readFrom, readDay } = openCache();
  const { since } = await readDay();
  for (const [start, step] of [
    [since - bucketMs, bucketMs],
    [since, 2 * bucketMs],
    [since + minuteMs, bucketMs],
  ] as const) {
    await read({ since: new Date(start), bucketMs: step });
    expect(readFrom.splice(0)).toEqual([start]);
  }
  for (let pool = 0; pool < 200; pool += 1) {
    expect((await readDay([`p${pool}`])).readFrom).toEqual([since]);
  }
  expect((await readDay(['p0'])).readFrom).toEqual([clock.now - bucketMs]);
  expect((await readDay()).readFrom).toEqual([since]);
  expect((await readDay(['p0'])).readFrom).toEqual([clock.now - bucketMs]);
  expect((await readDay(['p1'])).readFrom).toEqual([since]);
});

test('a failed reading leaves the cache as it is', async () => {
  const failure = new Error('gone');
  const clock = { now: 1_000 * hourMs };
  const at = new Date(clock.now - hourMs);
  const bucket = { at, delivered: 1, failed: 0, medianMs: 1, p95Ms: 1 };
  const answers = [() => [bucket], () => Promise.reject(failure), () => []];
  const cache = createBucketCache(
    async () => (await answers.shift()?.()) ?? [],
    () => clock.now,
  );
  const request = { since: at, bucketMs: 30 * minuteMs };
  await cache(request);
  await expect(cache(request)).rejects.toBe(failure);
  expect(await cache(request)).toEqual([bucket]);
});

test('an overview that is read again tells what a first one tells, for all pools and for some', async () => {
  const keys = [testKey()];
  const { store, url, query } = await openOutbox({ installed: false, keys });
  const add = (from: string, times: number) =>
    query(`
insert into attempt (pool, delivery, at, duration_ms, outcome, trigger)
select 'p' || n % 3, gen_random_uuid(), at, n * 37 % 1000, (array['accepted', 'refused', 'nothing-written', 'own-fault'])[n % 4 + 1],
  'schedule'
from generate_series(1, ${times}) n cross join lateral (
  select now() - interval '${from}' * (n::double precision / ${times}) as at) a order by at`);
  await add('24 hours', 5_000);
  const since = new Date(Math.floor(Date.now() / bucketMs) * bucketMs - 95 * bucketMs);
  const requests: OverviewRequest[] = [undefined, ['p1'], ['p0', 'p2']].map((pools) => ({
    pools,
    since,
    bucketMs,
  }));
  const readAll = async (from: typeof store) => {
    const overviews = await Promise.all(requests.map((request) => from.overviews.read(request)));
    return overviews.map(({ buckets }) => buckets.slice(0, 96));
  };
  const before = await readAll(store);
  await add('1 minute', 50);
  const again = await readAll(store);
  const other = await openStore({ databaseUrl: url, encryptionKeys: keys });
  try {
    expect(again).toEqual(await readAll(other));
  } finally {
    await other.close();
  }
  expect(again).not.toEqual(before);

  await query(
    "insert into attempt (pool, delivery, at, duration_ms, outcome, trigger) values ('p1', gen_random_uuid(), now() - interval '3 hours', 1, 'accepted', 'schedule')",
  );
  expect(await readAll(store)).toEqual(again);
});
