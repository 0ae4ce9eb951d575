import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { claimAll, claimOne, deliver, waiver } from '../../src/testing/outbox-fixture.ts';
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
