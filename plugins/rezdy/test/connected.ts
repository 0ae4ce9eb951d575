import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { rezdyBooking } from '../simulator/index.ts';
import plugin from '../src/index.ts';

/** A waiver for the simulator's booking. */
export const waiverOf = (changes: Partial<Waiver> = {}): Waiver => ({
  id: 'w1',
  pool: 'pool-1',
  bookingId: rezdyBooking.orderNumber,
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-11T18:00:00.123Z',
  ...changes,
});

/** The plugin, connected; by default, it reads and writes the simulator's booking. */
export function connected(baseUrl: string, apiKey = 'rezdy-account-key') {
  const { read, push } = connect(plugin, { baseUrl, account: { apiKey } });
  return {
    read: (bookingId: string = rezdyBooking.orderNumber) => read(bookingId),
    push: (changes: Partial<Waiver> = {}) => push(waiverOf(changes)),
  };
}
