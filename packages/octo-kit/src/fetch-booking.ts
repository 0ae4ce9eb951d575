import type { BookingSystemContext, FetchedBooking } from '@waiver-service/core';
import { bookingSegment, Reading } from '@waiver-service/plugin-kit';
import { findProduct } from './native/product.ts';
import { readBooking } from './native/read-booking.ts';
import { attendedItems } from './native/unit-items.ts';
import { requestBooking } from './request-booking.ts';

/** Reads one booking, and the booked product where the booking does not include it. Throws core's errors. */
export async function fetchBooking(
  { http }: Pick<BookingSystemContext, 'http'>,
  bookingId: string,
): Promise<FetchedBooking> {
  const path = `bookings/${bookingSegment(bookingId, 'read')}`;
  const booking = await requestBooking(http, path, bookingId);
  const reading = new Reading();
  const items = attendedItems(reading, booking);
  const product = await findProduct(reading, http, booking, items, bookingId);
  return readBooking(reading, booking, items, product, bookingId);
}
