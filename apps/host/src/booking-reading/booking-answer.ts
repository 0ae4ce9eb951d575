import {
  type Booking,
  bookedSessionSchema,
  bookingForms,
  bookingSchema,
  statusGroups,
  type Warning,
  warningCodes,
} from '@waiver-service/core';
import { z } from 'zod';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { hiddenMessage, redactedSchema } from '../http/guest-data.ts';
import type { BookingReading } from './booking-reader.ts';
import { prefillGuests } from './pre-fill.ts';
import { readStepSchema } from './read-step.ts';
import { matchWaivers, type SigningWaiver } from './signed-waivers.ts';

/** The refusals of routes that read from a booking system, by status. */
export const readProblems = {
  409: 'Several booking systems are installed and none is named, or the booking system is not configured; `code` says which.',
  424: 'No booking system is installed for the pool, or the installation is waiting for approval.',
  502: 'The booking system rejected the API key, failed, or returned something that is not a booking; `code` says which.',
  503: 'The booking system’s rate limit is reached, or the database is temporarily unavailable. See Retry-After.',
  504: 'The booking system did not respond in time.',
} as const;

const prefillSchema = z.record(z.string(), z.unknown());

/** A deviation that was tolerated while the booking was read. */
export const warningSchema = z
  .object({
    code: z.enum(warningCodes),
    path: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: 'BookingWarning' });

// Only what is listed here: other fields of a booking may be about its guests, such as notes.
const redactedSessionSchema = bookedSessionSchema.partial().required({ startsAt: true }).strip();
export const redactedBookingSchema = z
  .object({
    id: z.string(),
    status: z.string(),
    statusGroup: z.enum(statusGroups).optional(),
    pax: z.int(),
    bookedSessions: z.array(redactedSessionSchema),
    contact: z.null(),
    guests: z.null(),
  })
  .describe('A booking without guests’ data, as returned to viewers.')
  .meta({ id: 'RedactedBooking' });

/** A booking without anything that may be about its guests. */
export function redactedBooking(booking: Booking): z.input<typeof redactedBookingSchema> {
  return redactedBookingSchema.parse({ ...booking, contact: null, guests: null });
}

/** The response of `GET …/bookings/{booking_id}`. */
export const bookingAnswerSchema = z.object({
  bookingSystem: z.string(),
  form: z.enum(bookingForms),
  booking: z.union([bookingSchema, redactedBookingSchema]),
  redacted: redactedSchema,
  booker: prefillSchema
    .nullish()
    .describe('Pre-fill data of the contact, if the booking names no individual guests; null for a viewer.'),
  guests: z
    .array(
      z.object({
        bookingGuestId: z.string().optional(),
        prefill: prefillSchema.describe(
          'Data to pre-fill the guest’s waiver: `name`, `email`, `phoneNumber` and the pool’s `prefillProperties`, if available.',
        ),
        waiverId: z.string().optional(),
        signed: z.boolean(),
      }),
    )
    .nullable()
    .describe('The guests of the booking; null for a viewer.'),
  waivers: z.object({
    signed: z.int(),
    pax: z.int(),
    missing: z.array(z.object({ bookingGuestId: z.string().optional(), name: z.string().optional() })),
  }),
  warnings: z.array(warningSchema),
  fetchedAt: dateTimeSchema,
  stale: z.boolean().describe('Whether the booking system is down and this is its last valid response.'),
  ageSeconds: z
    .int()
    .optional()
    .describe('Age of a stale booking in seconds; absent if the booking is not stale.'),
  explanation: z
    .object({
      steps: z.array(readStepSchema),
      aliases: z.array(z.string()).describe('Other ids by which the booking was requested, at most 100.'),
    })
    .optional()
    .describe(
      'How the booking was read or, for a stale booking, how the read failed. Only with `explain=true`.',
    ),
});

type BookingAnswer = z.input<typeof bookingAnswerSchema>;

export interface BookingAnswerParts {
  readonly reading: BookingReading;
  readonly prefillProperties: readonly string[];
  readonly waivers: readonly SigningWaiver[];
  readonly timeZone: string;
  readonly now: Date;
  readonly caller: Caller | null;
}

const withoutMessage = (warning: Warning) => ({ ...warning, message: hiddenMessage });

// Missing guests are identified only by the booking's own ids.
const withoutNames = (missing: BookingAnswer['waivers']['missing']) =>
  missing.map(({ name: _, ...guest }) => guest);

/**
 * Combines a booking, the pre-fill of its guests' waivers, and who has signed; without guests' data if the caller may
 * not see it.
 */
export function bookingAnswer({
  reading,
  prefillProperties,
  waivers,
  timeZone,
  now,
  caller,
}: BookingAnswerParts): BookingAnswer {
  const { booking, form } = reading.fetched;
  const { guests, booker, warnings: masked } = prefillGuests(booking, prefillProperties);
  const warnings = [...reading.fetched.warnings, ...masked];
  const { signed, missing, guests: matched } = matchWaivers(booking, waivers, timeZone);
  const age = now.getTime() - reading.fetchedAt.getTime();
  const { bookingSystem, stale } = reading;
  const freshness = {
    fetchedAt: reading.fetchedAt,
    stale,
    ...(stale ? { ageSeconds: Math.floor(age / 1000) } : {}),
  };
  if (!seesGuests(caller)) {
    return {
      bookingSystem,
      form,
      booking: redactedBooking(booking),
      redacted: true,
      booker: null,
      guests: null,
      waivers: { signed, pax: booking.pax, missing: withoutNames([...missing]) },
      warnings: warnings.map(withoutMessage),
      ...freshness,
    };
  }
  return {
    bookingSystem,
    form,
    booking,
    ...(booker ? { booker } : {}),
    guests: guests.map((guest, index) => ({ ...guest, signed: false, ...matched[index] })),
    waivers: { signed, pax: booking.pax, missing: [...missing] },
    warnings,
    ...freshness,
  };
}
