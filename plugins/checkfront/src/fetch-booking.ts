import { BookingNotFound, type FetchedBooking, InvalidBookingResponse } from '@waiver-service/core';
import { bookingSegment, expectObject, quoted, raiseForStatus } from '@waiver-service/plugin-kit';
import { readDetail } from './native/detail/detail.ts';
import { readIndexCode } from './native/index/index-entry.ts';
import { readBooking } from './native/read-booking.ts';
import type { CheckfrontBooking } from './native/shape.ts';
import { readWebhook } from './native/webhook/webhook.ts';
import type { Context } from './settings.ts';

// Under `booking/` these are other calls: `booking/index` would list everybody's bookings.
const noBookings = new Set(['index', 'notes', 'form', 'session', 'create']);

async function ask({ http }: Context, bookingId: string): Promise<unknown> {
  const segment = bookingSegment(bookingId, 'read');
  if (noBookings.has(bookingId.toLowerCase())) {
    throw new BookingNotFound(`Checkfront has no booking ${quoted(bookingId)}`);
  }
  const response = await http.get(`booking/${segment}`);
  raiseForStatus(response, { bookingSystem: 'Checkfront', bookingId });
  return expectObject(response.data);
}

/**
 * Finds a booking by its code or its number. What is answered in the shape of the list is asked for again, by its code.
 * Throws core's errors.
 */
export async function findBooking(context: Context, bookingId: string): Promise<CheckfrontBooking> {
  const answer = await ask(context, bookingId);
  const code = readIndexCode(answer, bookingId);
  const body = code === undefined || code === bookingId ? answer : await ask(context, code);
  const found = readDetail(body) ?? readWebhook(body);
  if (found !== undefined) return found;
  throw new InvalidBookingResponse('Checkfront’s answer has no booking with items in it');
}

/** Reads one booking. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  return readBooking(await findBooking(context, bookingId), bookingId, context.account.guestParameters);
}
