import { BookingNotFound, type FetchedBooking } from '@waiver-service/core';
import { expectObject, percentEncode, quoted, raiseForStatus, refusalOfId } from '@waiver-service/plugin-kit';
import { readOrder } from './native/read-order.ts';
import type { Context } from './settings.ts';

/** Reads one order as a booking. */
export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const refusal = refusalOfId(bookingId);
  if (refusal) throw new BookingNotFound(`${quoted(bookingId)} is no order id: ${refusal}`);
  const response = await http.get(`orders/${percentEncode(bookingId)}`);
  raiseForStatus(response, { bookingSystem: 'Xola', bookingId });
  return readOrder(expectObject(response.data), bookingId, account.durationMinutes);
}
