import type { BookingSystemContext, BookingSystemHttp, FetchedBooking } from '@waiver-service/core';
import { bookingSegment, type JsonObject, Reading } from '@waiver-service/plugin-kit';
import { findProduct } from './native/product.ts';
import { readBooking } from './native/read-booking.ts';
import { attendedItems } from './native/unit-items.ts';
import { requestBooking } from './request-booking.ts';

/** Reads one booking. Throws core's errors. */
export async function fetchBooking(
  { http }: Pick<BookingSystemContext, 'http'>,
  bookingId: string,
): Promise<FetchedBooking> {
  const path = `bookings/${bookingSegment(bookingId, 'read')}`;
  return readFoundBooking(http, await requestBooking(http, path, bookingId), bookingId);
}

/** Reads a booking that was found, and the booked product where the booking does not include it. Throws core's errors. */
export async function readFoundBooking(
  http: BookingSystemHttp,
  booking: JsonObject,
  bookingId: string,
): Promise<FetchedBooking> {
  const reading = new Reading();
  const items = attendedItems(reading, booking);
  const product = await findProduct(reading, http, booking, items, bookingId);
  return readBooking(reading, booking, items, product, bookingId);
}
