import {
  BookingNotFound,
  BookingSystemUnavailable,
  type FetchedBooking,
  InvalidBookingResponse,
} from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  isJsonObject,
  type JsonObject,
  quoted,
  raiseForStatus,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { refusalIn } from './answers.ts';
import { fetchGuests, isCancelled, readBooking, statusOf } from './read/booking.ts';
import { type CheckfrontBooking, readDetail, readIndexCode, readWebhook } from './read/people.ts';

// Other endpoints below `booking/`: `booking/index` would list all bookings.
const otherEndpoints = new Set(['index', 'notes', 'form', 'session', 'create']);

// Of a booking's three shapes, one lacks the status of the request.
const hasBooking = ({ request, booking, 'booking/index': entries }: JsonObject): boolean =>
  request === undefined && (isJsonObject(booking) || isJsonObject(entries));

async function requestBooking({ http }: Context, bookingId: string): Promise<unknown> {
  const segment = bookingSegment(bookingId, 'read');
  if (otherEndpoints.has(bookingId.toLowerCase())) {
    throw new BookingNotFound(`Checkfront has no booking ${quoted(bookingId)}`);
  }
  const response = await http.get(`booking/${segment}`);
  raiseForStatus(response, { bookingSystem: 'Checkfront', purpose: 'read', bookingId });
  const body = expectObject(response.data);
  const refusal = refusalIn(body);
  if (refusal === undefined || hasBooking(body)) return body;
  throw new InvalidBookingResponse(
    `Checkfront’s answer has no booking, ${refusal}: check the account and its key`,
  );
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

/** The guests of a booking, if the account has API v4. Only a cancelled booking may be unknown there. */
async function guestsOf(context: Context, found: CheckfrontBooking): Promise<readonly unknown[]> {
  const known = textOf(found.code);
  if (context.account.apiV4 !== true || known === undefined) return [];
  const guests = await fetchGuests(context, known);
  if (guests !== undefined || isCancelled(textOf(statusOf(found)) ?? '')) return guests ?? [];
  throw new BookingSystemUnavailable(
    `Checkfront’s API v4 does not know booking ${quoted(known)}: if the account does not have it, install again without apiV4`,
    { upstreamStatus: 404, outboundErrorCode: 'http_status' },
  );
}

/** Reads a booking by API v3 and, if the account has it, its guests by API v4. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const found = await findBooking(context, bookingId);
  const guests = await guestsOf(context, found);
  return readBooking(found, bookingId, context.account.guestParameters, guests);
}
