import { BookingNotFound, type FetchedBooking, InvalidBookingResponse } from '@waiver-service/core';
import { bookingSegment, expectObject, quoted, raiseForStatus } from '@waiver-service/plugin-kit';
import { readDetail } from './native/detail.ts';
import { readIndexCode } from './native/index-entry.ts';
import { readBooking } from './native/read-booking.ts';
import type { CheckfrontBooking } from './native/shape.ts';
import { readWebhook } from './native/webhook.ts';
import type { Context } from './settings.ts';

// Below `booking/` these are other endpoints: `booking/index` would list all bookings.
const otherEndpoints = new Set(['index', 'notes', 'form', 'session', 'create']);

async function requestBooking({ http }: Context, bookingId: string): Promise<unknown> {
  const segment = bookingSegment(bookingId, 'read');
  if (otherEndpoints.has(bookingId.toLowerCase())) {
    throw new BookingNotFound(`Checkfront has no booking ${quoted(bookingId)}`);
  }
  const response = await http.get(`booking/${segment}`);
  raiseForStatus(response, { bookingSystem: 'Checkfront', bookingId });
  return expectObject(response.data);
}

/**
 * Finds a booking by its code or its number. A response in the shape of the list leads to a second request, by the code.
 * Throws core's errors.
 */
export async function findBooking(context: Context, bookingId: string): Promise<CheckfrontBooking> {
  const first = await requestBooking(context, bookingId);
  const code = readIndexCode(first, bookingId);
  const body = code === undefined || code === bookingId ? first : await requestBooking(context, code);
  const found = readDetail(body) ?? readWebhook(body);
  if (found !== undefined) return found;
  throw new InvalidBookingResponse('Checkfront’s answer has no booking with items in it');
}

export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  return readBooking(await findBooking(context, bookingId), bookingId, context.account.guestParameters);
}
