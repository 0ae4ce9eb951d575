import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  install,
  lose,
  refuse,
  waiver,
  webhookSettings,
  workerOf,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

const die = async (store: Store) => {
  for (const each of await claimAll(store)) await finish(store, each, { kind: 'dead' });
};
const list = async (store: Store, filter: Parameters<Store['deliveries']['list']>[0]) =>
  (await store.deliveries.list(filter, { limit: 100 })).items.map(
    ({ waiverId, version }) => `${waiverId} ${version}`,
  );

test('each delivery is listed under its state only', async () => {
  const { store, endpoint } = await openOutbox({ installed: false });
  const make = (id: string) => store.waivers.create(waiver({ id }));
  await make('delivered');
  await deliver(store, await claimOne(store));
  await make('dead');
  await die(store);
  await make('superseded');
  await store.waivers.update('p1', 'superseded', {});
  await deliver(store, await claimOne(store));
  await make('sending');
  await claimOne(store);
  await make('waiting');
  expect(await list(store, { state: 'delivered' })).toEqual(['superseded 2', 'delivered 1']);
  expect(await list(store, { state: 'dead' })).toEqual(['dead 1']);
  expect(await list(store, { state: 'superseded' })).toEqual(['superseded 1']);
  expect(await list(store, { state: 'sending' })).toEqual(['sending 1']);
  expect(await list(store, { state: 'waiting' })).toEqual(['waiting 1']);
  expect(await list(store, { state: 'held' })).toEqual([]);
  const [destination] = (await store.destinations.list({ limit: 10 })).items;
  expect(destination).toMatchObject({ kind: 'guest-webhook', pool: 'p1', status: 'active', waiting: 2 });
  expect(destination?.oldestWaitingAt).toBeInstanceOf(Date);
  await store.destinations.pause(destination?.id ?? '');
  expect(await list(store, { state: 'held' })).toEqual(['waiting 1']);
  expect(await list(store, { state: 'waiting' })).toEqual([]);
  await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
  expect(await list(store, { state: 'cancelled' })).toEqual(['waiting 1']);
  expect(await list(store, { state: 'sending' })).toEqual(['sending 1']);
  expect((await store.destinations.list({ limit: 10 })).items).toEqual([]);
});

test('the pages of several pools have each delivery once, newest first, with those of no other pool', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  for (const pool of ['p1', 'p2', 'p3']) {
    await store.pools.put({ id: pool, name: pool });
    await store.webhooks.create(pool, webhookSettings);
  }
  for (let number = 0; number < 12; number += 1) {
    const pool = `p${1 + (number % 3)}`;
    await store.waivers.create(waiver({ id: `${pool} ${number}`, pool, bookingId: null }));
    if (number < 6) await deliver(store, await claimOne(store));
  }
  const inPages = async (filter: Parameters<Store['deliveries']['list']>[0], limit: number) => {
    const pages = await readPages((cursor) => store.deliveries.list(filter, { limit, cursor }));
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
    return pages.flat().map(({ waiverId }) => waiverId);
  };
  for (const state of [undefined, 'delivered', 'waiting'] as const) {
    const all = (await store.deliveries.list({ state }, { limit: 100 })).items;
    expect(all).toHaveLength(state === undefined ? 12 : 6);
    for (const pools of [
      ['p1', 'p2'],
      ['p2', 'p3', 'unknown'],
    ]) {
      const expected = all.filter(({ pool }) => pools.includes(pool)).map(({ waiverId }) => waiverId);
      for (const limit of [1, 2, 5]) expect(await inPages({ state, pools }, limit)).toEqual(expected);
    }
  }
});

test('the list is filtered by pool, kind, destination, waiver and time, page by page', async () => {
  const { store } = await openOutbox();
  for (let place = 0; place < 5; place += 1) await store.waivers.create(waiver({ id: `w${place}` }));
  expect(await list(store, { pools: ['p1'], kind: 'guest-update' })).toEqual([
    'w4 1',
    'w3 1',
    'w2 1',
    'w1 1',
    'w0 1',
  ]);
  expect(await list(store, { pools: ['p2'] })).toEqual([]);
  expect(await list(store, { pools: [] })).toEqual([]);
  expect(await list(store, { pools: ['p2', 'p1'] })).toEqual(await list(store, {}));
  expect(await list(store, { waiverId: 'w2' })).toEqual(['w2 1', 'w2 1']);
  expect(await list(store, { since: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await list(store, { until: new Date(Date.now() - 60_000) })).toEqual([]);
  expect(await list(store, { since: new Date(0), until: new Date(Date.now() + 60_000) })).toHaveLength(10);
  const [newest] = (await store.deliveries.list({ waiverId: 'w4', kind: 'guest-update' }, { limit: 1 }))
    .items;
  const { destination, createdAt } = newest ?? { destination: '', createdAt: new Date(0) };
  expect(await list(store, { destination })).toEqual(await list(store, { kind: 'guest-update' }));
  expect(await list(store, { destination, since: createdAt })).toContain('w4 1');
  expect(await list(store, { destination, until: createdAt })).not.toContain('w4 1');
  for (const state of [undefined, 'waiting'] as const) {
    const pages = await readPages((cursor) => store.deliveries.list({ state }, { limit: 3, cursor }));
    const seen = pages.flat().map(({ id }) => id);
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
    expect(seen).toEqual(seen.toSorted().reverse());
  }
  await expect(store.deliveries.list({}, { limit: 3, cursor: 'bm8' })).rejects.toThrow(/cursor/);
});

test('a dead letter is shown with its body and attempts, and can be retried with all attempts again', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await lose(store, await claimOne(store));
  await die(store);
  const [item] = (await store.deliveries.list({ state: 'dead' }, { limit: 1 })).items;
  const id = item?.id ?? '';
  const detail = await store.deliveries.get(id);
  expect(detail).toMatchObject({ state: 'dead', bookingId: 'b1', waiverId: 'w1' });
  expect(JSON.parse(detail?.body ?? '').waiver.id).toBe('w1');
  expect(detail?.attempts.map(({ outcome }) => outcome)).toEqual(['in-doubt', 'refused']);
  expect(await store.deliveries.retry(id)).toEqual({ deliveryId: id });
  const again = await claimOne(store);
  expect(again).toMatchObject({ id, attempts: 0, trigger: 'manual', body: detail?.body });
  await deliver(store, again);
  expect(await store.deliveries.get(id)).toMatchObject({ state: 'delivered' });
  expect(await store.deliveries.retry(randomUUID())).toBeUndefined();
  expect(await store.deliveries.retry('no id')).toBeUndefined();
  expect(await store.deliveries.get('no id')).toBeUndefined();
});

test('retrying one that a newer version has followed sends the newest, and names it', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await die(store);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  const newest = await claimOne(store);
  await deliver(store, newest);
  const [dead] = (await store.deliveries.list({ state: 'dead' }, { limit: 1 })).items;
  expect(await store.deliveries.retry(dead?.id ?? '')).toEqual({ deliveryId: newest.id });
  expect(await claimOne(store)).toMatchObject({ id: newest.id, version: 2 });
});

test('each delivery of a waiver is retried at its own destination', async () => {
  const { store } = await openOutbox({ installed: false });
  await store.webhooks.create('p1', { ...webhookSettings, url: 'https://other.example' });
  await store.waivers.create(waiver());
  await die(store);
  const dead = (await store.deliveries.list({ state: 'dead' }, { limit: 10 })).items;
  expect(dead).toHaveLength(2);
  for (const { id } of dead) expect(await store.deliveries.retry(id)).toEqual({ deliveryId: id });
});

test('in a lane of a booking, retries wait for messages in flight, and keep their order', async () => {
  const { store } = await openOutbox({ webhook: false, writeUnit: 'booking' });
  for (const id of ['w1', 'w2']) {
    await store.waivers.create(waiver({ id }));
    await die(store);
  }
  await store.waivers.create(waiver({ id: 'w3' }));
  const inFlight = await claimOne(store);
  const begun = await store.deliveries.recover({ pools: ['p1'], since: new Date(0) });
  expect(begun).toMatchObject({ recovered: 2 });
  expect(await claimAll(store)).toEqual([]);
  await deliver(store, inFlight);
  for (const waiverId of ['w1', 'w2']) {
    const next = await claimOne(store);
    expect(next).toMatchObject({ waiverId });
    await deliver(store, next);
  }
});

test('retrying one that waits ends its wait; one that a newer version waits behind leaves the order as it is', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const first = await claimOne(store);
  await refuse(store, first, 3_600_000);
  expect(await claimAll(store)).toEqual([]);
  expect(await store.deliveries.retry(first.id)).toEqual({ deliveryId: first.id });
  const again = await claimOne(store);
  expect(again).toMatchObject({ id: first.id, trigger: 'manual', attempts: 1 });
  await finish(store, again, { kind: 'dead' });
  await store.waivers.update('p1', 'w1', {});
  const [waiting] = (await store.deliveries.list({ state: 'waiting' }, { limit: 1 })).items;
  expect(await store.deliveries.retry(first.id)).toEqual({ deliveryId: waiting?.id });
  expect(await claimOne(store)).toMatchObject({ version: 2 });
  expect(await claimAll(store)).toEqual([]);
});

test('old attempts are pruned in batches, young ones stay', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  for (let place = 0; place < 5; place += 1) await refuse(store, await claimOne(store));
  await query(`update attempt set at = now() - interval '31 days' where at <> (select max(at) from attempt)`);
  const prune = () => store.outbox.pruneAttempts(30 * 86_400_000, 2);
  const [first, second] = await Promise.all([prune(), prune()]);
  expect(first + second + (await prune()) + (await prune())).toBe(4);
  expect(await prune()).toBe(0);
  expect(await query(`select count(*)::int as count from attempt`)).toEqual([{ count: 1 }]);
});

test('the first 4,096 characters of a response are stored, whatever it contains', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const claimed = await claimOne(store);
  const response = `a\u0000b\uD83Dc${'x'.repeat(5_000)}`;
  const { dispatcher } = await workerOf(store);
  await store.outbox.record(dispatcher, [
    {
      ...claimed,
      decision: { kind: 'dead' },
      inDoubt: false,
      attempt: { at: new Date(), durationMs: 5, outcome: 'refused', trigger: 'schedule', response },
    },
  ]);
  const [attempt] = (await store.deliveries.get(claimed.id))?.attempts ?? [];
  expect(attempt?.response).toBe(`a\uFFFDb\uFFFDc${'x'.repeat(4_091)}`);
});

const walkIn = { bookingId: null, bookingSystem: null, bookingGuestId: null } as const;

/** Fails the one delivery that is due with a status, for good. */
async function fail(store: Store, status: number, errorCode = 'http_status'): Promise<string> {
  const claimed = await claimOne(store);
  const worker = await workerOf(store);
  await store.outbox.record(worker.dispatcher, [
    {
      ...claimed,
      decision: { kind: 'dead' },
      attempt: {
        at: new Date(),
        durationMs: 5,
        outcome: 'refused',
        trigger: 'schedule',
        status,
        errorCode,
      },
    },
  ]);
  worker.inFlight.delete(claimed);
  return claimed.id;
}

test('deliveries are found by the error and the status of their attempts, with every other filter', async () => {
  const { store } = await openOutbox({ installed: false });
  const ids: Record<string, string> = {};
  for (const [name, status] of [
    ['first', 503],
    ['second', 503],
    ['refused', 422],
  ] as const) {
    await store.waivers.create(waiver({ id: name, ...walkIn }));
    ids[name] = await fail(store, status);
  }
  await store.waivers.create(waiver({ id: 'good', ...walkIn }));
  await deliver(store, await claimOne(store));
  await store.waivers.create(waiver({ id: 'late', ...walkIn }));
  const late = await claimOne(store);
  await lose(store, late, 3_600_000);

  const list = async (filter: Parameters<Store['deliveries']['list']>[0], limit = 100) =>
    (await store.deliveries.list(filter, { limit })).items.map(({ waiverId }) => waiverId);
  expect(await list({ errorCode: 'http_status' })).toEqual(['refused', 'second', 'first']);
  expect(await list({ status: 503 })).toEqual(['second', 'first']);
  expect(await list({ status: 422, errorCode: 'http_status' })).toEqual(['refused']);
  expect(await list({ status: 422, errorCode: 'timeout' })).toEqual([]);
  expect(await list({ errorCode: 'timeout' })).toEqual(['late']);
  expect(await list({ errorCode: 'timeout', state: 'dead' })).toEqual([]);
  expect(await list({ status: 503, waiverId: 'first' })).toEqual(['first']);
  expect(await list({ status: 503, pools: ['other'] })).toEqual([]);
  expect(await list({ status: 503, since: new Date(Date.now() + 3_600_000) })).toEqual([]);

  const first = await store.deliveries.list({ status: 503 }, { limit: 1 });
  expect(first.items.map(({ id }) => id)).toEqual([ids.second]);
  const second = await store.deliveries.list({ status: 503 }, { limit: 1, cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: [{ id: ids.first }], next: null });
});

test('a page by error looks at a thousand failed deliveries, and goes on from there', async () => {
  const { store, query } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'oldest', ...walkIn }));
  const oldest = await fail(store, 503);
  await query(`insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, takeback, body, created_at)
    select pool, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, destination, kind, ordering_key,
      'made-' || n, 1, false, '{}', now() from delivery, generate_series(1, 1500) n`);
  await query(`insert into attempt (pool, delivery, at, duration_ms, outcome, status, error_code, trigger)
    select pool, id, now(), 1, 'refused', 503, 'http_status', 'schedule' from delivery where waiver_id like 'made-%'`);
  const filter = { status: 503, state: 'dead' as const };
  const first = await store.deliveries.list(filter, { limit: 100 });
  expect(first.items).toEqual([]);
  const second = await store.deliveries.list(filter, { limit: 100, cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: [{ id: oldest }], next: null });
  await query('set enable_seqscan = off; set enable_bitmapscan = off');
  const plan = await query(`explain select a.delivery as id from attempt a
    where a.error_code is not null and a.status = 503 group by a.delivery order by a.delivery desc limit 1000`);
  expect(JSON.stringify(plan)).toContain('attempt_by_status');
  expect(JSON.stringify(plan)).not.toContain('Sort');
});

test('a lane has the deliveries before and behind one, the nearest last and first, and stops counting at its limit', async () => {
  const { store, query } = await openOutbox({ webhook: false, installed: false });
  await install(store, { writeUnit: 'booking' });
  const ids = ['w1', 'w2', 'w3', 'w4'];
  for (const id of ids) await store.waivers.create(waiver({ id, bookingGuestId: id }));
  const deliveries = (await store.deliveries.list({}, { limit: 10 })).items.toReversed();
  const [, second] = deliveries;
  const lane = await store.deliveries.lane(second?.id ?? '');
  expect(lane).toMatchObject({
    orderedBy: 'booking',
    key: 'b1',
    waiting: true,
    before: { count: 1, items: [{ waiverId: 'w1', state: 'waiting', nextAttemptAt: expect.any(Date) }] },
    after: { count: 2, items: [{ waiverId: 'w3' }, { waiverId: 'w4' }] },
  });
  const [claimed] = await claimAll(store);
  if (claimed === undefined) throw new Error('nothing was claimed');
  await finish(store, claimed, { kind: 'dead' });
  expect(await store.deliveries.lane(claimed.id)).toMatchObject({
    waiting: false,
    before: { count: 0, items: [] },
    after: { count: 3, items: [{ waiverId: 'w2' }, { waiverId: 'w3' }, { waiverId: 'w4' }] },
  });
  expect(await store.deliveries.get(claimed.id)).not.toHaveProperty('nextAttemptAt');
  expect(await store.deliveries.get(second?.id ?? '')).toMatchObject({ nextAttemptAt: expect.any(Date) });

  await query(`insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body, created_at)
    select pool, gen_random_uuid(), destination, kind, 'b1', 'made-' || n, 1, 'b1', false, '{}', now()
    from delivery, generate_series(1, 1200) n where waiver_id = 'w4'`);
  await query(`insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
    select destination, id, pool, 'b1', nextval('outbox_sequence'), waiver_id, 'b1', false, now()
    from delivery where waiver_id like 'made-%'`);
  const long = await store.deliveries.lane(second?.id ?? '');
  expect(long?.after.count).toBe(1_000);
  expect(long?.after.items).toHaveLength(10);
  expect(await store.deliveries.lane('unknown')).toBeUndefined();
});
