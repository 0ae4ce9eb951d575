import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fareHarborBooking, type SimulatedFareHarbor, startFareHarbor } from '../simulator/index.ts';
import fareharbor from '../src/index.ts';

const keys = { appKey: 'app-key-1', userKey: 'user-key-1', shortname: 'tyrolrafting' };
const { uuid } = fareHarborBooking();
let system: SimulatedFareHarbor;
beforeEach(async () => {
  system = await startFareHarbor(keys);
});
afterEach(() => system.close());

const connected = () =>
  connect(fareharbor, {
    baseUrl: system.url,
    settings: { appKey: keys.appKey, guestNameField: 'Full name' },
    account: { apiKey: keys.userKey, shortname: keys.shortname },
  });
const read = () => connected().read(uuid);
const push = (id: string, changes: Partial<Waiver> = {}) =>
  connected().push({
    id,
    bookingId: uuid,
    bookingGuestId: '900001',
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const noteOf = (id = uuid) => system.bookings.get(id)?.note;

describe('over real HTTP', () => {
  test('circular rebookings are refused', async () => {
    const next = system.rebook(uuid);
    system.put({ ...next, rebooked_to: uuid });
    await expect(read()).rejects.toThrow('in a circle');
  });

  test('a note without a response is in doubt, and is not written twice', async () => {
    system.faults.next('note', { kind: 'reset', when: 'after-headers' });
    await expect(push('w1')).rejects.toMatchObject({ inDoubt: true });
    await push('w1');
    expect(noteOf()?.match(/\[waiver w1\]/g)).toHaveLength(1);
    expect(system.received.filter(({ route }) => route === 'note')).toHaveLength(1);
  });
});
