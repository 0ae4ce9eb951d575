import { bookingForms, bookingSchema, warningCodes } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../http/date-time.ts';
import type { BookingReading } from './booking-reader.ts';
import { prefillGuests } from './pre-fill.ts';
import { matchWaivers, type SigningWaiver } from './signed-waivers.ts';

const prefillSchema = z.record(z.string(), z.unknown());

/** A deviation that was tolerated while the booking was read. */
export const warningSchema = z
  .object({
    code: z.enum(warningCodes),
    path: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: 'BookingWarning' });

/** The response of `GET …/bookings/{booking_id}`. */
export const bookingAnswerSchema = z.object({
  bookingSystem: z.string(),
  form: z.enum(bookingForms),
  booking: bookingSchema,
  booker: prefillSchema.optional().describe('The contact, if the booking names no individual guests.'),
  guests: z.array(
    z.object({
      bookingGuestId: z.string().optional(),
      prefill: prefillSchema.describe(
        '`name`, `email`, `phoneNumber` and the properties that the pool lists, if available.',
      ),
      waiverId: z.string().optional(),
      signed: z.boolean(),
    }),
  ),
  waivers: z.object({
    signed: z.int(),
    pax: z.int(),
    missing: z.array(z.object({ bookingGuestId: z.string().optional(), name: z.string().optional() })),
  }),
  warnings: z.array(warningSchema),
  fetchedAt: dateTimeSchema,
  stale: z.boolean().describe('Whether the booking system is down and this is its last valid response.'),
  ageSeconds: z.int().optional().describe('The age of a stale booking.'),
});

type BookingAnswer = z.infer<typeof bookingAnswerSchema>;

export interface BookingAnswerParts {
  readonly reading: BookingReading;
  readonly prefillProperties: readonly string[];
  readonly waivers: readonly SigningWaiver[];
  readonly now: Date;
}

/** Combines a booking, the pre-fill of its guests' waivers, and who has signed. */
export function bookingAnswer({
  reading,
  prefillProperties,
  waivers,
  now,
}: BookingAnswerParts): BookingAnswer {
  const { booking, form, warnings } = reading.fetched;
  const { guests, booker } = prefillGuests(booking, prefillProperties);
  const { signed, missing, guests: matched } = matchWaivers(booking.guests, waivers);
  const age = now.getTime() - reading.fetchedAt.getTime();
  return {
    bookingSystem: reading.bookingSystem,
    form,
    booking,
    ...(booker ? { booker } : {}),
    guests: guests.map((guest, index) => ({ ...guest, signed: false, ...matched[index] })),
    waivers: { signed, pax: booking.pax, missing: [...missing] },
    warnings: [...warnings],
    fetchedAt: toDateTime(reading.fetchedAt),
    stale: reading.stale,
    ...(reading.stale ? { ageSeconds: Math.floor(age / 1000) } : {}),
  };
}
