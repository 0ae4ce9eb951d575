import type { FetchedBooking } from '@waiver-service/core';
import { bookingSegment } from '@waiver-service/plugin-kit';
import { bookingIn } from './answers.ts';
import { readBooking } from './native/read-booking.ts';
import type { Context } from './settings.ts';

/** Reads one booking by its order number. Throws core's errors. */
export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`);
  const order = bookingIn(response, { kind: 'read', bookingId });
  return readBooking(order, bookingId, account.timeZone);
}
