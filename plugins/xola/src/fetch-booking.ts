import type { FetchedBooking } from '@waiver-service/core';
import { bookingSegment, expectObject, raiseForStatus } from '@waiver-service/plugin-kit';
import { readOrder } from './native/read-order.ts';
import type { Context } from './settings.ts';

export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`orders/${bookingSegment(bookingId, 'read')}`);
  raiseForStatus(response, { bookingSystem: 'Xola', bookingId });
  return readOrder(expectObject(response.data), bookingId, account.durationMinutes);
}
