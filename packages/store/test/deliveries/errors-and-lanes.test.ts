import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  install,
  lose,
  waiver,
  workerOf,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

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
