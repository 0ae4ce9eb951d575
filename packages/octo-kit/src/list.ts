import {
  type BookingListRequest,
  type BookingSystemContext,
  type CheckedAccess,
  type ListedBooking,
  type ListedBookings,
  MalformedListCursor,
} from '@waiver-service/core';
import { listedBooking, requiredList } from '@waiver-service/plugin-kit';
import { raiseForOcto } from './answers.ts';
import type { ProductContext } from './read/unit-items.ts';
import { askingOnce, readFoundBooking } from './read.ts';

/**
 * Requests what every account may read: the supplier or, if a vendor documents no such path, its products. Throws
 * core's errors if the key is not accepted.
 */
export async function checkAccess(
  { http }: Pick<BookingSystemContext, 'http'>,
  path: 'supplier' | 'products' = 'supplier',
): Promise<CheckedAccess> {
  raiseForOcto(await http.get(path), { purpose: 'other' });
  return { warnings: [] };
}

const hourMs = 3_600_000;
// OCTO's dates are local to the product's time zone, from UTC-12 to UTC+14.
const maxBehindMs = 12 * hourMs;
const maxAheadMs = 14 * hourMs;
const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** Lists the bookings of a period at once: OCTO has no pages. Throws core's errors. */
export async function listBookings(
  context: ProductContext,
  { from, until, cursor }: BookingListRequest,
): Promise<ListedBookings> {
  if (cursor !== undefined)
    throw new MalformedListCursor('OCTO lists all bookings at once, without a cursor.');
  const params = {
    localDateStart: dateOf(Date.parse(from) - maxBehindMs),
    localDateEnd: dateOf(Date.parse(until) + maxAheadMs),
  };
  const response = await context.http.get('bookings', { params });
  raiseForOcto(response, { purpose: 'other' });
  // Many bookings in a list share a product.
  const once = { ...context, http: askingOnce(context.http) };
  const listed: ListedBooking[] = [];
  // Sequentially, so that only the first booking of a product requests it.
  for (const booking of requiredList(response.data, 'the body')) {
    listed.push(await listedBooking(booking.uuid, (id) => readFoundBooking(once, booking, id)));
  }
  return { bookings: listed };
}
