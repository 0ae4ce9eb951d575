import { expect, test } from 'vitest';
import type { SendingManifest, Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  install,
  refuse,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-test-store.ts';

const byBooking = {
  bookingSystem: 'standard',
  writeUnit: 'booking',
  guestId: 'booking-guest-id',
  takesGuestUpdates: true,
} as const;
const opened = () => openOutbox({ webhook: false });

const unitOf = async ({ query }: Awaited<ReturnType<typeof openOutbox>>) =>
  (await query('select write_unit, next_write_unit from destination order by id desc limit 1'))[0];

const isSwitched = async (outbox: Awaited<ReturnType<typeof openOutbox>>) =>
  expect.poll(() => unitOf(outbox)).toEqual({ write_unit: 'booking', next_write_unit: null });

const page = (store: Store, id: string, currentPage: string) =>
  store.waivers.update('p1', id, { currentPage });

test('a plugin’s new order by booking is applied to existing installations where nothing waits', async () => {
  const outbox = await opened();
  const { store } = outbox;
  expect(await store.installations.applyManifest(byBooking)).toBe(1);
  expect(await store.installations.applyManifest(byBooking)).toBe(0);
  await isSwitched(outbox);
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  expect(await claimOne(store)).toMatchObject({ orderingKey: 'b1' });
});

test('while something waits, new messages keep the former order, and nothing passes it', async () => {
  const outbox = await opened();
  const { store } = outbox;
  await store.waivers.create(waiver({ id: 'w1' }));
  await refuse(store, await claimOne(store), 3_600_000);
  await store.installations.applyManifest(byBooking);
  await store.waivers.create(waiver({ id: 'w2' }));
  await page(store, 'w1', 'two');
  const claimed = await claimAll(store);
  expect(claimed.map(({ orderingKey, version }) => `${orderingKey} ${version}`).toSorted()).toEqual([
    'w1 2',
    'w2 1',
  ]);
  expect(await unitOf(outbox)).toEqual({ write_unit: 'waiver', next_write_unit: 'booking' });
  for (const each of claimed) await deliver(store, each);
  await isSwitched(outbox);
  for (const id of ['w1', 'w2']) await page(store, id, 'three');
  const first = await claimOne(store);
  expect(first).toMatchObject({ orderingKey: 'b1', waiverId: 'w1', version: 3 });
  await deliver(store, first);
  expect(await claimOne(store)).toMatchObject({ orderingKey: 'b1', waiverId: 'w2' });
});

test('reopened messages are ordered like all others at that time', async () => {
  const outbox = await opened();
  const { store } = outbox;
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  for (const claimed of await claimAll(store)) await finish(store, claimed, { kind: 'dead' });
  await store.installations.applyManifest(byBooking);
  await isSwitched(outbox);
  expect(await store.deliveries.recover({ since: new Date(0) })).toMatchObject({ recovered: 2 });
  await page(store, 'w1', 'two');
  const sent: string[] = [];
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store)) {
    for (const each of claimed) {
      expect(each.orderingKey).toBe('b1');
      sent.push(`${each.waiverId} ${each.version}`);
      await deliver(store, each);
    }
  }
  expect(sent.toSorted()).toEqual(['w1 2', 'w2 1']);
});

test('changed request limits and Guest Update support apply from the next start, too', async () => {
  const { store, query } = await opened();
  const limited: SendingManifest = {
    ...byBooking,
    writeUnit: 'waiver',
    requestLimits: { per: 'installation', windows: [{ requests: 3, windowMs: 60_000 }] },
  };
  expect(await store.installations.applyManifest(limited)).toBe(1);
  const budgets = `select d.id = b.id as is_own, b.requests, b.window_ms from request_budget b
    join destination d on d.request_budget = b.id`;
  expect(await query(budgets)).toEqual([{ is_own: true, requests: [3], window_ms: [60_000] }]);
  const windows = [
    { requests: 5, windowMs: 1_000 },
    { requests: 90, windowMs: 60_000 },
  ];
  const shared: SendingManifest = { ...limited, requestLimits: { per: 'booking-system', windows } };
  expect(await store.installations.applyManifest(shared)).toBe(1);
  expect(await store.installations.applyManifest(shared)).toBe(0);
  expect(await query(budgets)).toEqual([{ is_own: false, requests: [5, 90], window_ms: [1_000, 60_000] }]);
  expect(await store.installations.applyManifest({ ...limited, requestLimits: undefined })).toBe(1);
  expect(await query(budgets)).toEqual([]);
  await store.installations.applyManifest({ ...limited, takesGuestUpdates: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  expect(await claimAll(store)).toEqual([]);
  await store.installations.applyManifest(limited);
  await page(store, 'w1', 'two');
  expect(await claimAll(store)).toMatchObject([{ waiverId: 'w1', version: 2 }]);
});

test('a booking system that takes no Guest Updates gets none: nothing is written, nothing waits, the webhook is sent', async () => {
  const { store } = await openOutbox({ installed: false });
  await install(store, { takesGuestUpdates: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await store.waivers.update('p1', 'w1', { bookingId: 'b2' });
  const deliveries = await store.waivers.deliveriesOf('p1', 'w1');
  expect(new Set(deliveries.map(({ kind }) => kind))).toEqual(new Set(['guest-webhook']));
  expect((await claimAll(store)).map(({ kind }) => kind)).toEqual(['guest-webhook']);
});

test('one that takes them since its last install gets the next change', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await install(store, { takesGuestUpdates: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await install(store, { takesGuestUpdates: true });
  expect(await claimAll(store)).toEqual([]);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await claimAll(store)).toMatchObject([{ kind: 'guest-update', version: 2 }]);
});
