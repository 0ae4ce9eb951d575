import {
  bookingForms,
  bookingSchema,
  type FetchedBooking,
  isInvalidBookingResponse,
  makeSignable,
  warningCodes,
} from '@waiver-service/core';
import { sql } from 'kysely';
import { z } from 'zod';

/** How long a stored response may be served while the booking system does not respond. */
export const maxBookingAge = sql`interval '24 hours'`;

const fetchedSchema = z.object({
  form: z.enum(bookingForms),
  booking: bookingSchema,
  warnings: z.array(
    z.object({ code: z.enum(warningCodes), path: z.string().optional(), message: z.string() }),
  ),
});

/**
 * Parses a stored response; undefined if another release stored it in another format, or with what this one refuses. An
 * earlier release may have stored it before it was made signable.
 */
export function parseFetchedBooking(text: string): FetchedBooking | undefined {
  const { data } = fetchedSchema.safeParse(JSON.parse(text));
  if (data === undefined) return undefined;
  const { form, booking, warnings } = data;
  const stored = {
    form,
    booking,
    warnings: warnings.map(({ path, ...warning }) => (path === undefined ? warning : { ...warning, path })),
  };
  try {
    return makeSignable(stored);
  } catch (error) {
    if (isInvalidBookingResponse(error)) return undefined;
    throw error;
  }
}
