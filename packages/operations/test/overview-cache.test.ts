import { expect, test } from 'vitest';
import type { CountedOverview } from '../src/data/overview.ts';
import { createOverviewCache } from '../src/overview-routes.ts';

const wanted = { pools: undefined, windowMs: 3_600_000, bucketMs: 60_000 };
const overview: CountedOverview = {
  waiting: 0,
  oldestWaitingAt: null,
  dead: 0,
  failingDestinations: 0,
  pausedDestinations: 0,
  buckets: [],
};

test('an overview is read once at a time, however long that takes, and again after three seconds', async () => {
  let now = 0;
  const readings: ((overview: CountedOverview) => void)[] = [];
  const read = () => new Promise<CountedOverview>((resolve) => readings.push(resolve));
  const cache = createOverviewCache({ read }, () => now);
  const first = cache.read(wanted);
  now = 20_000;
  const second = cache.read(wanted);
  expect(readings).toHaveLength(1);
  readings[0]?.(overview);
  expect(await Promise.all([first, second])).toEqual([overview, overview]);
  now = 22_999;
  void cache.read(wanted);
  expect(readings).toHaveLength(1);
  now = 23_000;
  void cache.read(wanted);
  expect(readings).toHaveLength(2);
});

test('an overview begins before the present time by the calendar; one from before the clock was set back is read again', async () => {
  const sinces: number[] = [];
  const read = async ({ since }: { readonly since: Date }) => {
    sinces.push(since.getTime());
    return overview;
  };
  await createOverviewCache({ read }).read(wanted);
  expect(Math.abs(Date.now() - wanted.windowMs - (sinces[0] ?? 0))).toBeLessThan(2 * wanted.bucketMs);

  let now = 10 * wanted.windowMs;
  const cache = createOverviewCache({ read }, () => now);
  await cache.read(wanted);
  now -= wanted.windowMs;
  await cache.read(wanted);
  expect(sinces).toHaveLength(3);
});
