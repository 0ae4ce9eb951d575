import type { BookedSession, CheckedAccess, FetchedBooking, StatusGroup } from '@waiver-service/core';
import {
  finishNativeBooking,
  type JsonObject,
  Reading,
  requiredText,
  textOf,
  vendorContact,
  vendorPerson,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import {
  type Admission,
  admissionsIn,
  guestsOf,
  itemsOf,
  paxOf,
  sessionOf,
  sessionProductsOf,
  timeZoneIn,
  type Venue,
  venueOf,
} from './read/items.ts';
import { checkVenue, requestBooking, requestGuest } from './requests.ts';

/** Requests the API key's venue, and checks that its time zone is known. Throws core's errors. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  const venue = await checkVenue(context);
  const reading = new Reading();
  if (context.account.timeZone === undefined && timeZoneIn(venue) === undefined) {
    reading.warn(
      'value_ignored',
      'timeZone',
      'ROLLER names no time zone of the venue that is in the IANA database: bookings cannot be read until the account has `timeZone`',
    );
  }
  return { warnings: reading.warnings };
}

/** Reads one booking, with the guest record of its owner and the venue's products. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const booking = await requestBooking(context, bookingId);
  const head = readHead(booking);
  // Bookings at the counter often have no owner.
  const ownerId = textOf(booking.customerId);
  const owner = ownerId === undefined ? {} : await requestGuest(context, ownerId);
  const venue = await venueOf(context, sessionProductsOf(booking));
  return readBooking({ head, booking, owner, venue }, bookingId);
}

/** ROLLER's status is that of the payment: guests with a reservation are expected, paid or not. */
export const statusMap: Record<string, StatusGroup> = {
  NoPaymentRequired: 'active',
  PendingPayment: 'active',
  PartiallyPaid: 'active',
  Paid: 'active',
  Draft: 'other',
  Cancelled: 'cancelled',
  Deleted: 'cancelled',
};

const withoutSession =
  'the ROLLER booking has no pass with a date: there is nothing to check in to; add one in ROLLER';

/** The fields that identify an object as a booking. */
interface BookingHead {
  readonly id: string;
  readonly status: string;
}

/** Reads the fields that every booking has. Throws InvalidBookingResponse if they are missing. */
export function readHead({ uniqueId, status }: JsonObject): BookingHead {
  const reading = new Reading();
  const head = {
    id: requiredText(reading, textOf(uniqueId), 'uniqueId'),
    status: requiredText(reading, status, 'status'),
  };
  reading.throwIfRefused();
  return head;
}

/** A ROLLER booking, and the data needed to read it. */
interface BookingToRead {
  readonly head: BookingHead;
  readonly booking: JsonObject;
  /** The guest record of the booking's owner; empty if there is none. */
  readonly owner: JsonObject;
  readonly venue: Venue;
}

const sessionKey = ({ startsAt, endsAt, activityId }: BookedSession) =>
  [startsAt, endsAt, activityId].join(' ');

/** Adults and children are separate items of one session. */
function readSessions(
  reading: Reading,
  admissions: readonly Admission[],
  { timeZone }: Venue,
): BookedSession[] {
  if (timeZone === undefined && admissions.length > 0) {
    const message =
      'are in the venue’s time zone, which ROLLER does not name: set timeZone in the account information';
    reading.refuse('items', message);
    return [];
  }
  const sessions = new Map<string, BookedSession>();
  for (const admission of admissions) {
    const session = sessionOf(reading, admission, timeZone);
    if (session !== undefined) sessions.set(sessionKey(session), session);
  }
  return [...sessions.values()];
}

/** Reads a ROLLER booking. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(
  { head, booking, owner, venue }: BookingToRead,
  bookingId: string,
): FetchedBooking {
  const reading = new Reading();
  const isCancelled = statusMap[head.status] === 'cancelled';
  const items = itemsOf(reading, isCancelled ? (booking.items ?? []) : booking.items);
  const admissions = admissionsIn(reading, items, venue);
  const { firstName, lastName, email, phone } = owner;
  const person = vendorPerson({ firstName, lastName, email, phoneNumber: phone });
  const read = {
    ...head,
    contact: vendorContact(reading, person, 'the booking’s owner'),
    pax: admissions.reduce((sum, admission) => sum + paxOf(reading, admission), 0),
    guests: admissions.flatMap((admission) => guestsOf(reading, admission)),
    // Invalid times must not hide that a booking is cancelled.
    bookedSessions: readSessions(isCancelled ? new Reading() : reading, admissions, venue),
    notes: textOf(booking.comments),
    bookingReference: textOf(booking.bookingReference),
    externalId: textOf(booking.externalId),
    // Fields of the booking extend the guests': as `name`, the title would become each unnamed guest's name.
    bookingName: textOf(booking.name),
  };
  return finishNativeBooking(reading, read, { bookingId, idPath: 'uniqueId', withoutSession }, statusMap);
}
