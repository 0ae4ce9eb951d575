import type { FetchedBooking, StatusGroup } from '@waiver-service/core';
import { nativeBooking, Reading, requiredText, vendorContact } from '@waiver-service/plugin-kit';
import { readQuantity, readSession } from './item.ts';
import type { CheckfrontBooking } from './shape.ts';

/** What Checkfront's own statuses mean; an account may have others. */
export const statusMap: Record<string, StatusGroup> = {
  PAID: 'active',
  PART: 'active',
  PEND: 'other',
  HOLD: 'other',
  WAIT: 'other',
  STOP: 'cancelled',
  VOID: 'cancelled',
};

/** Reads a booking of Checkfront's, in whichever shape it came. Throws InvalidBookingResponse. */
export function readBooking(found: CheckfrontBooking, bookingId: string): FetchedBooking {
  const reading = new Reading();
  const read = found.items.flatMap((item) => {
    const session = readSession(reading, item);
    return session === undefined ? [] : [{ session, quantity: readQuantity(reading, item) }];
  });
  if (read.length === 0) reading.refuse('items', 'has none with a time: the booking has no session');
  const booking = {
    id: requiredText(reading, found.code, 'code'),
    status: requiredText(reading, found.status, 'status'),
    contact: vendorContact(reading, found.contact, 'customer'),
    pax: read.reduce((sum, { quantity }) => sum + quantity, 0),
    // API v3 knows nobody but the customer.
    guests: [],
    bookedSessions: read.map(({ session }) => session),
  };
  return nativeBooking(reading, booking, { bookingId, idPath: 'booking.id' }, statusMap);
}
