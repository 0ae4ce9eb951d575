import type { FetchedBooking } from '@waiver-service/core';
import { readBooking } from './native/read-booking.ts';
import { findCurrentBooking } from './rebookings.ts';
import type { Context } from './settings.ts';

/** Reads one booking, or the one that replaced it. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const current = await findCurrentBooking(context, bookingId);
  return readBooking(current.booking, bookingId, context.settings.guestNameField);
}
