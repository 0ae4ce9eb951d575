import type { FetchedBooking } from '@waiver-service/core';
import { textOf } from '@waiver-service/plugin-kit';
import { readBooking, readHead } from './native/read-booking.ts';
import { venueOf } from './native/venue.ts';
import { requestBooking, requestGuest } from './requests.ts';
import type { Context } from './settings.ts';

/** Reads one booking, with the guest record of its owner and the venue's products. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const booking = await requestBooking(context, bookingId);
  const head = readHead(booking);
  // Bookings at the counter often have no owner.
  const ownerId = textOf(booking.customerId);
  const owner = ownerId === undefined ? {} : await requestGuest(context, ownerId);
  return readBooking({ head, booking, owner, venue: await venueOf(context) }, bookingId);
}
