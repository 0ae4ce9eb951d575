import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { claimAll, claimOne, deliver, install, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

/** The messages of a record in the order of sending: the guest's id, and whether it is taken back. */
async function sendAll(store: Store): Promise<string[]> {
  const sent: string[] = [];
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store)) {
    for (const each of claimed) {
      const { bookingId, bookingGuestId = 'nobody', deleted } = JSON.parse(each.body).waiver;
      sent.push(`${deleted ? 'take back' : 'write'} ${bookingId} ${bookingGuestId}`);
      await deliver(store, each);
    }
  }
  return sent;
}

test.each(['waiver', 'booking'] as const)(
  'a waiver that moves to another guest is taken back from the former one first (lanes by %s)',
  async (writeUnit) => {
    const { store } = await openOutbox({ webhook: false, writeUnit });
    await store.waivers.create(waiver({ id: 'w1', bookingGuestId: 'g1' }));
    await deliver(store, await claimOne(store));
    const moved = await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
    expect(moved).toMatchObject({ outcome: 'updated', record: { version: 3, bookingGuestId: 'g2' } });
    expect(await sendAll(store)).toEqual(['take back b1 g1', 'write b1 g2']);
    await store.waivers.update('p1', 'w1', { bookingGuestId: null });
    expect(await sendAll(store)).toEqual(['take back b1 g2', 'write b1 nobody']);
  },
);

test('while the booking system is down, moves queue up: every guest left behind gets a takeback, the last one the waiver', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1', bookingGuestId: 'g1' }));
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g3' });
  expect(await sendAll(store)).toEqual(['take back b1 g1', 'take back b1 g2', 'write b1 g3']);
});

test('assigning a first guest sends no takeback, and webhooks get no takebacks at all', async () => {
  const { store } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1', bookingGuestId: null }));
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g1' });
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
  const claimed = await claimAll(store);
  const webhooks = claimed.filter(({ kind }) => kind === 'guest-webhook');
  expect(webhooks.map(({ body }) => JSON.parse(body).guest.deleted)).toEqual([false]);
  const deliveries = await store.waivers.deliveriesOf('p1', 'w1');
  expect(deliveries.filter(({ kind }) => kind === 'guest-update').map(({ version }) => version)).toEqual([
    4, 3, 2, 1,
  ]);
});

test.each(['waiver-id', 'none'] as const)(
  'where guestId is %s, another guest is no move, but another booking is',
  async (guestId) => {
    const { store } = await openOutbox({ installed: false, webhook: false });
    await install(store, { guestId });
    await store.waivers.create(waiver({ id: 'w1', bookingGuestId: 'g1' }));
    await deliver(store, await claimOne(store));
    await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
    expect(await sendAll(store)).toEqual(['write b1 g2']);
    await store.waivers.update('p1', 'w1', { bookingId: 'b2' });
    expect(await sendAll(store)).toEqual(['take back b1 g2', 'write b2 g2']);
  },
);

test('a plugin that changes to guestId none sends no takebacks, for existing installations too', async () => {
  const { store } = await openOutbox({ webhook: false });
  const manifest = {
    bookingSystem: 'standard',
    writeUnit: 'waiver',
    guestId: 'none',
    takesGuestUpdates: true,
  } as const;
  expect(await store.installations.applyManifest(manifest)).toBe(1);
  expect(await store.installations.applyManifest(manifest)).toBe(0);
  await store.waivers.create(waiver({ id: 'w1', bookingGuestId: 'g1' }));
  await deliver(store, await claimOne(store));
  await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
  expect(await sendAll(store)).toEqual(['write b1 g2']);
});
