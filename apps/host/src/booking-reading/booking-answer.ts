import { type bookingAnswerSchema, redactedBookingSchema } from '@waiver-service/api';
import type { Booking, Warning } from '@waiver-service/core';
import type { z } from 'zod';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { hiddenMessage } from '../http/guest-data.ts';
import type { BookingReading } from './booking-reader.ts';
import { prefillGuests } from './pre-fill.ts';
import { matchWaivers, type SigningWaiver } from './signed-waivers.ts';

/** A booking without anything that may be about its guests. */
export function redactedBooking(booking: Booking): z.input<typeof redactedBookingSchema> {
  return redactedBookingSchema.parse({ ...booking, contact: null, guests: null });
}

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
