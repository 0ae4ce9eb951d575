import type { BookingListRequest, CheckedAccess, ListedBookings } from '@waiver-service/core';
import {
  expectObject,
  type JsonObject,
  listedId,
  listPage,
  requiredList,
  textOf,
} from '@waiver-service/plugin-kit';
import { raiseForBokun } from './answers.ts';
import type { Context } from './settings.ts';

/** The page size of Bókun's own client; whether larger pages work is not documented. */
const maxPageSize = 50;
/** Statuses of entries that never became a booking. */
const unbooked: readonly unknown[] = ['CART', 'ABORTED', 'TIMEOUT', 'ERROR'];

async function search({ http }: Context, query: JsonObject): Promise<JsonObject> {
  const response = await http.post('booking.json/product-booking-search', query);
  raiseForBokun(response, { purpose: 'other' });
  return expectObject(response.data);
}

/** The local time in a time zone, expressed as if it were UTC. */
function clockTimeIn(timeZone: string, time: Date): number {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${clock.format(time).replace(' ', 'T')}Z`);
}

/**
 * A range of start dates that covers every session of the period. Start dates are days at midnight UTC, or times that
 * may be UTC or the vendor's local time (undocumented): the range covers both.
 */
function startDateRange({ from, until }: BookingListRequest, timeZone: string): JsonObject {
  const earliest = new Date(Math.min(Date.parse(from), clockTimeIn(timeZone, new Date(from))));
  const latest = new Date(Math.max(Date.parse(until), clockTimeIn(timeZone, new Date(until))));
  earliest.setUTCHours(0, 0, 0, 0);
  return { from: earliest.toISOString(), to: latest.toISOString(), includeLower: true, includeUpper: true };
}

/** Lists the bookings with an activity in a period, by code: the list has no people. Throws core's errors. */
export async function listBookings(context: Context, request: BookingListRequest): Promise<ListedBookings> {
  const { page, size: pageSize, next } = listPage(request, maxPageSize);
  const range = startDateRange(request, context.account.timeZone);
  const { results, totalHits } = await search(context, { page, pageSize, startDateRange: range });
  const found = requiredList(results, 'results');
  const codes = found
    .filter(({ status }) => !unbooked.includes(status))
    .map(({ confirmationCode }) => listedId(confirmationCode));
  // `totalHits` is sometimes too low: a full page may be followed by another one, whatever it says.
  const hasNext =
    found.length >= pageSize || (found.length > 0 && Number(textOf(totalHits)) > page * pageSize);
  return {
    // A booking of several activities has an entry for each.
    bookings: [...new Set(codes)].map((bookingId) => ({ bookingId })),
    next: hasNext ? next : undefined,
  };
}

/** Searches for a single booking. Throws core's errors if the key is rejected or may not read bookings. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  await search(context, { page: 1, pageSize: 1 });
  return { warnings: [] };
}
