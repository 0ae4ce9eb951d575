import {
  claimOne,
  deliver,
  finish,
  furnishOutbox,
  openTestStore,
  refuse,
  waiver,
} from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openOverviewStore } from '../../src/data/overview.ts';

const withoutBooking = { bookingId: null, bookingSystem: null, bookingGuestId: null } as const;
const sumOf = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A store with a pool `p1`, where `standard` is installed and one webhook listens, unless told otherwise. */
async function openOutbox(furnished: Parameters<typeof furnishOutbox>[1] = {}) {
  const { store, ...opened } = await openTestStore();
  onTestFinished(opened.close);
  await furnishOutbox(store, furnished);
  return { ...opened, store: openOverviewStore(store) };
}

async function overviewOf({ store }: Awaited<ReturnType<typeof openOutbox>>, pools?: readonly string[]) {
  const overview = await store.overviews.read({
    since: new Date(Date.now() - 50_000),
    bucketMs: 10_000,
    ...(pools === undefined ? {} : { pools }),
  });
  const { buckets, ...counts } = overview;
  return {
    ...counts,
    buckets,
    delivered: sumOf(buckets.map(({ delivered }) => delivered)),
    failed: sumOf(buckets.map(({ failed }) => failed)),
  };
}

test('an overview counts delivered, refused, waiting and dead messages', async () => {
  const opened = await openOutbox({ installed: false });
  const { store } = opened;
  expect(await overviewOf(opened)).toMatchObject({
    waiting: 0,
    oldestWaitingAt: null,
    dead: 0,
    failingDestinations: 0,
    delivered: 0,
    failed: 0,
  });

  await store.waivers.create(waiver({ id: 'w1', ...withoutBooking }));
  await deliver(store, await claimOne(store));
  const before = Date.now();
  await store.waivers.create(waiver({ id: 'w2', ...withoutBooking }));
  await refuse(store, await claimOne(store), 3_600_000);
  await store.waivers.create(waiver({ id: 'w3', ...withoutBooking }));
  await finish(store, await claimOne(store), { kind: 'dead' });

  const overview = await overviewOf(opened);
  expect(overview).toMatchObject({
    waiting: 1,
    dead: 1,
    pausedDestinations: 0,
    delivered: 1,
    failed: 2,
  });
  expect(Math.abs((overview.oldestWaitingAt?.getTime() ?? 0) - before)).toBeLessThan(30_000);
  expect(overview.buckets.find(({ failed }) => failed > 0)).toMatchObject({ medianMs: 5, p95Ms: 5 });
  expect(overview.buckets[0]).toMatchObject({ delivered: 0, failed: 0, medianMs: null, p95Ms: null });
  expect(overview.buckets).toHaveLength(6);

  const { items } = await store.destinations.list({ limit: 1 });
  await store.destinations.pause(items[0]?.id ?? '');
  expect(await overviewOf(opened)).toMatchObject({ failingDestinations: 0, pausedDestinations: 1 });
});

test('an overview of some pools counts nothing of the others', async () => {
  const opened = await openOutbox({ installed: false });
  await opened.store.waivers.create(waiver({ id: 'w1', ...withoutBooking }));
  expect(await overviewOf(opened, ['p1'])).toMatchObject({ waiting: 1 });
  expect(await overviewOf(opened, ['p2'])).toMatchObject({ waiting: 0, oldestWaitingAt: null });
  await deliver(opened.store, await claimOne(opened.store));
  expect(await overviewOf(opened, ['p1'])).toMatchObject({ delivered: 1 });
  expect(await overviewOf(opened, ['p2'])).toMatchObject({ delivered: 0 });
});
