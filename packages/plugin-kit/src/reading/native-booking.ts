import {
  type Booking,
  type BookingSystemManifest,
  type FetchedBooking,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { isJsonObject, type JsonObject, kindOf, quoted, warningsOfLostCharacters } from './json.ts';
import { warnOfNamelessGuests } from './read-booking.ts';
import { type Reading, statusGroupOf, warnOfUnknownStatus } from './reading.ts';
import { objectOf } from './vendor-fields.ts';

/** An object in a list, with its path: `items[2]`. */
export interface ListedObject {
  readonly value: JsonObject;
  readonly path: string;
}

/** The objects of a required list. Refuses a value that is not a list, and each element that is not an object. */
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

const withoutUndefined = <T extends object>(fields: T): T => {
  const defined = { ...fields };
  for (const name in defined) if (defined[name] === undefined) delete defined[name];
  return defined;
};

/** The request for a booking, and the plugin's messages about it. */
export interface NativeBookingRequest {
  /** The id that was requested. */
  readonly bookingId: string;
  /** Path of the booking's id in the vendor's body, such as `booking.code`. */
  readonly idPath: string;
  /** The error message for a booking that has no session but is not cancelled: why, and how to fix it. */
  readonly withoutSession: string;
}

/**
 * Completes a booking read from a vendor's native form: adds the status group, removes `undefined` fields, and warns of
 * an id other than the requested one, of guests without a name and of an unknown status. A booking with a `statusGroup`
 * keeps it: where the group depends on more than the status, the reader decides it. Only a cancelled booking may have no
 * session. Throws InvalidBookingResponse if anything was refused.
 */
export function finishNativeBooking(
  reading: Reading,
  booking: Booking,
  request: NativeBookingRequest,
  statusMap: BookingSystemManifest['statusMap'],
): FetchedBooking {
  reading.throwIfRefused();
  const statusGroup = booking.statusGroup ?? statusGroupOf(statusMap, booking.status);
  if (booking.bookedSessions.length === 0 && statusGroup !== 'cancelled') {
    throw new InvalidBookingResponse(request.withoutSession);
  }
  if (booking.id !== request.bookingId) {
    const message = `booking ${quoted(request.bookingId)} was asked for, the answer says it is ${quoted(booking.id)}`;
    reading.warn('id_differs', request.idPath, message);
  }
  warnOfNamelessGuests(reading, booking.guests);
  if (booking.statusGroup === undefined) {
    warnOfUnknownStatus(reading, statusMap, { status: booking.status });
  }
  const { guests, contact, ...others } = booking;
  const read = withoutUndefined({
    ...others,
    contact: withoutUndefined(contact),
    guests: guests.map(withoutUndefined),
    statusGroup,
  });
  return {
    form: 'native',
    booking: read,
    warnings: [...reading.warnings, ...warningsOfLostCharacters(read)],
  };
}
