import {
  type BookingListRequest,
  type BookingSystemContext,
  type BookingSystemHttp,
  type BookingSystemResponse,
  type CheckedAccess,
  InvalidBookingResponse,
  type ListedBooking,
  type ListedBookings,
  MalformedListCursor,
} from '@waiver-service/core';
import { type JsonObject, listedBooking, requiredList } from '@waiver-service/plugin-kit';
import { raiseForOctoList } from './answers.ts';
import { readFoundBooking } from './fetch-booking.ts';

type Context = Pick<BookingSystemContext, 'http'>;

const hourMs = 3_600_000;
// The local date of a moment is that of the product's time zone: anything from UTC-12 to UTC+14.
const mostBehindMs = 12 * hourMs;
const mostAheadMs = 14 * hourMs;
const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** A client that asks for each address once: many bookings of a list are of the same product. */
function askingOnce(http: BookingSystemHttp): BookingSystemHttp {
  const answers = new Map<string, Promise<BookingSystemResponse>>();
  return {
    ...http,
    get(url, request) {
      const answer = answers.get(url) ?? http.get(url, request);
      answers.set(url, answer);
      return answer;
    },
  };
}

async function readListed(http: BookingSystemHttp, booking: JsonObject): Promise<ListedBooking> {
  const { bookingId } = listedBooking(booking.uuid);
  try {
    return { bookingId, fetched: await readFoundBooking(http, booking, bookingId) };
  } catch (error) {
    if (error instanceof InvalidBookingResponse) return { bookingId, problem: error };
    throw error;
  }
}

/** Lists the bookings of some days, all at once: OCTO has no pages. Throws core's errors. */
export async function listBookings(
  { http }: Context,
  { from, until, cursor }: BookingListRequest,
): Promise<ListedBookings> {
  if (cursor !== undefined)
    throw new MalformedListCursor('OCTO lists all bookings at once, without a cursor.');
  const params = {
    localDateStart: dateOf(Date.parse(from) - mostBehindMs),
    localDateEnd: dateOf(Date.parse(until) + mostAheadMs),
  };
  const response = await http.get('bookings', { params });
  raiseForOctoList(response);
  const once = askingOnce(http);
  const listed: ListedBooking[] = [];
  // One after the other, so that a product is asked for by the first of its bookings alone.
  for (const booking of requiredList(response.data, 'the body')) listed.push(await readListed(once, booking));
  return { bookings: listed };
}

/**
 * Requests what every account may read: who the supplier is, or, where a vendor documents no such path, its products.
 * Throws core's errors where the key is not accepted.
 */
export async function checkAccess(
  { http }: Context,
  path: 'supplier' | 'products' = 'supplier',
): Promise<CheckedAccess> {
  raiseForOctoList(await http.get(path));
  return { warnings: [] };
}
