import { BookingNotFound, type FetchedBooking } from '@waiver-service/core';
import {
  expectObject,
  type JsonObject,
  percentEncode,
  quoted,
  raiseForStatus,
  refusalOfId,
} from '@waiver-service/plugin-kit';
import { readBooking } from './native/read-booking.ts';
import type { Context } from './settings.ts';

/** Asks for one booking, with all that Bookeo tells of its people. Throws core's errors. */
export async function askForBooking({ http }: Context, bookingId: string): Promise<JsonObject> {
  const refusal = refusalOfId(bookingId);
  if (refusal) throw new BookingNotFound(`${quoted(bookingId)} is no booking number: ${refusal}`);
  const params = { expandCustomer: 'true', expandParticipants: 'true' };
  const response = await http.get(`bookings/${percentEncode(bookingId)}`, { params });
  raiseForStatus(response, { bookingSystem: 'Bookeo', bookingId });
  return expectObject(response.data);
}

/** Reads one booking. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  return readBooking(await askForBooking(context, bookingId), bookingId, context.account.waiverField);
}
