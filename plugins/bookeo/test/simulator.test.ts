import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookeoBooking, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';
import bookeo from '../src/index.ts';

const keys = { apiKey: 'account-key-1', secretKey: 'secret-key-1' };
const { bookingNumber, customerId } = bookeoBooking;
let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const connected = (account: object = {}) =>
  connect(bookeo, {
    baseUrl: system.url,
    settings: { secretKey: keys.secretKey },
    account: { apiKey: keys.apiKey, ...account },
  });
const push = (changes: Partial<Waiver> = {}, account: object = {}) =>
  connected(account).push({
    bookingId: bookingNumber,
    bookingGuestId: 'Cadults-1',
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const waiversOf = (linkedPersonId?: string) =>
  system.person(customerId, linkedPersonId)?.customFields?.find(({ name }) => name === 'Waiver')?.value;

describe('over real HTTP', () => {
  test('without the custom field, the error says which one to create', async () => {
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toThrow(
      /custom field "Haftung".*there is no customer custom field/,
    );
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toMatchObject({ retry: 'three-attempts' });
  });

  test('the field is found by id and by name, case-insensitively', async () => {
    await push({ id: 'w1' }, { waiverField: 'f1' });
    await push({ id: 'w2' }, { waiverField: 'WAIVER' });
    expect(waiversOf()?.split('\n')).toHaveLength(3);
  });
});
