import {
  type Booking,
  type BookingSystemManifest,
  type FetchedBooking,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { warnOfNamelessGuests } from './guests.ts';
import { isJsonObject, type JsonObject, kindOf, quoted } from './json.ts';
import type { Reading } from './reading.ts';
import { statusGroupOf } from './status-group.ts';
import { objectOf } from './vendor-text.ts';

/** An object of a list, and where it stands: `items[2]`. */
export interface ListedObject {
  readonly value: JsonObject;
  readonly path: string;
}

/** The objects of a list that must be there. What is no list, or no object in it, is refused. */
export function requiredObjects(reading: Reading, value: unknown, path: string): readonly ListedObject[] {
  if (!Array.isArray(value)) {
    reading.refuse(path, value === undefined ? 'is missing' : `is ${kindOf(value)} where a list must be`);
    return [];
  }
  const listed = (one: unknown, index: number) => {
    if (!isJsonObject(one)) reading.refuse(`${path}[${index}]`, `is ${kindOf(one)} where an object must be`);
    return { value: objectOf(one), path: `${path}[${index}]` };
  };
  return value.map(listed);
}

const withoutAbsent = <T extends object>(fields: T): T => {
  const left = { ...fields };
  for (const name in left) if (left[name] === undefined) delete left[name];
  return left;
};

/** What a vendor's booking is measured by. */
export interface NativeBookingRules {
  readonly bookingId: string;
  /** Where the vendor keeps the booking's id: `booking.code`. */
  readonly idPath: string;
  /** What an operator is told of a booking that has no session and is not cancelled, and what to do about it. */
  readonly withoutSession: string;
}

/**
 * A booking as it was read from a vendor's own form: with the group of its status, without the fields that are
 * `undefined`, with a warning where it is not the one that was asked for and one for all guests without a name. A
 * cancelled booking may have no session. Throws InvalidBookingResponse where anything was refused.
 */
export function nativeBooking(
  reading: Reading,
  booking: Booking,
  asked: NativeBookingRules,
  statusMap: BookingSystemManifest['statusMap'],
): FetchedBooking {
  reading.throwIfRefused();
  const statusGroup = statusGroupOf(statusMap, booking.status);
  if (booking.bookedSessions.length === 0 && statusGroup !== 'cancelled') {
    throw new InvalidBookingResponse(asked.withoutSession);
  }
  if (booking.id !== asked.bookingId) {
    const message = `booking ${quoted(asked.bookingId)} was asked for, the answer says it is ${quoted(booking.id)}`;
    reading.warn('id_differs', asked.idPath, message);
  }
  warnOfNamelessGuests(reading, booking.guests);
  const { guests, contact, ...others } = booking;
  const kept = { contact: withoutAbsent(contact), guests: guests.map(withoutAbsent) };
  return {
    form: 'native',
    booking: withoutAbsent({ ...others, ...kept, statusGroup }),
    warnings: reading.warnings,
  };
}
