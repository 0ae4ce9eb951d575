import {
  type BookingListRequest,
  type ListedBooking,
  type ListedBookings,
  MalformedListCursor,
} from '@waiver-service/core';
import { listedBooking, requiredList } from '@waiver-service/plugin-kit';
import { raiseForOctoList } from './answers.ts';
import { askingOnce } from './read/asking-once.ts';
import type { ProductContext } from './read/product.ts';
import { readFoundBooking } from './read.ts';

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
  raiseForOctoList(response);
  // Many bookings in a list share a product.
  const once = { ...context, http: askingOnce(context.http) };
  const listed: ListedBooking[] = [];
  // Sequentially, so that only the first booking of a product requests it.
  for (const booking of requiredList(response.data, 'the body')) {
    listed.push(await listedBooking(booking.uuid, (id) => readFoundBooking(once, booking, id)));
  }
  return { bookings: listed };
}
