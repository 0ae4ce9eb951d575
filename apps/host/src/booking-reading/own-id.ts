import {
  type BookingSystemPlugin,
  bookingIdSchema,
  type FetchedBooking,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { z } from 'zod';

/**
 * The booking's own id: the answer's, where the booking system has several ids for a booking; otherwise the one that it was
 * asked for by.
 */
export function ownIdOf(
  { capabilities }: BookingSystemPlugin,
  { booking }: FetchedBooking,
  askedId: string,
): string {
  if (capabilities.aliases !== true || booking.id === askedId) return askedId;
  const { data, error } = bookingIdSchema.safeParse(booking.id);
  if (data !== undefined) return data;
  throw new InvalidBookingResponse(
    `The booking has an id of its own that is none: ${z.prettifyError(error)}`,
  );
}
