import type { FetchedBooking } from '@waiver-service/core';
import { bookingSegment, expectObject, type JsonObject, raiseForStatus } from '@waiver-service/plugin-kit';
import { readBooking } from './native/read-booking.ts';
import type { Context } from './settings.ts';

/** Requests one booking, with its customer and participants. Throws core's errors. */
export async function requestBooking({ http }: Context, bookingId: string): Promise<JsonObject> {
  const params = { expandCustomer: 'true', expandParticipants: 'true' };
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`, { params });
  raiseForStatus(response, { bookingSystem: 'Bookeo', bookingId });
  return expectObject(response.data);
}

export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  return readBooking(await requestBooking(context, bookingId), bookingId, context.account.waiverField);
}
