import type { BookedSession, Booking, Contact, FetchedBooking, StatusGroup } from '@waiver-service/core';
import {
  definedFields,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  kindOf,
  objectOf,
  Reading,
  requiredText,
  statusGroupOf,
  textOf,
  vendorContact,
  vendorDateTime,
  vendorSession,
  withoutNoteLines,
} from '@waiver-service/plugin-kit';
import { readCustomFields } from './read/custom-fields.ts';
import { readGuest } from './read/guest.ts';
import { paxOf } from './read/people.ts';
import { findCurrentBooking } from './read/rebookings.ts';
import type { Context } from './settings.ts';

/** Reads one booking, or the one that replaced it. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const current = await findCurrentBooking(context, bookingId);
  const { guestNameField } = context.settings;
  const { guestCountField } = context.account;
  return readBooking(current.booking, bookingId, { guestNameField, guestCountField });
}

/** FareHarbor's statuses. A rebooked booking is normally read as the one that replaced it. */
export const statusMap: Record<string, StatusGroup> = {
  booked: 'active',
  cancelled: 'cancelled',
  rebooked: 'cancelled',
};

function readSessions(reading: Reading, availability: unknown): BookedSession[] {
  const { start_at, end_at, item, headline } = objectOf(availability);
  const { pk: activityId, name } = objectOf(item);
  const startsAt = vendorDateTime(reading, start_at, 'availability.start_at');
  const endsAt = vendorDateTime(reading, end_at, 'availability.end_at');
  if (startsAt === undefined) return [];
  const fields = {
    startsAt,
    endsAt,
    activityId,
    activityName: textOf(name) ?? headline,
  };
  return [vendorSession(reading, fields, 'availability')];
}

function readContact(reading: Reading, contact: unknown): Contact {
  if (!isJsonObject(contact)) reading.refuse('contact', `is ${kindOf(contact)} where an object must be`);
  const { name, email, normalized_phone, phone } = objectOf(contact);
  return vendorContact(reading, { name, email, phoneNumber: textOf(normalized_phone) ?? phone }, 'contact');
}

const isCancelled = ({ status }: JsonObject) =>
  statusGroupOf(statusMap, textOf(status) ?? '') === 'cancelled';

/** The customers of a booking; a cancelled one may have lost them. */
function readCustomers(reading: Reading, found: JsonObject): readonly unknown[] {
  const { customers } = found;
  if (Array.isArray(customers)) return customers;
  const isGone = customers === undefined || customers === null;
  if (!isCancelled(found) || !isGone) {
    reading.refuse('customers', `is ${kindOf(customers)} where a list must be`);
  }
  return [];
}

// A booking's fields extend each guest's: a custom field called `email` must not become every guest's address.
const reservedNames = new Set([
  'id',
  'status',
  'statusGroup',
  'contact',
  'pax',
  'guests',
  'bookedSessions',
  'startsAt',
  'endsAt',
  'activities',
  'guestId',
  'name',
  'email',
  'phoneNumber',
  'participantType',
  'notes',
  'displayId',
]);

const withoutSession = 'the FareHarbor booking has no availability: there is nothing to check in to';

/** The custom fields, by name or `pk`, that mean something for a booking. */
interface NamedFields {
  readonly guestNameField?: string | undefined;
  readonly guestCountField?: string | undefined;
}

/** Reads a FareHarbor booking. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(
  found: JsonObject,
  bookingId: string,
  { guestNameField, guestCountField }: NamedFields = {},
): FetchedBooking {
  const reading = new Reading();
  const { customer_count: count } = found;
  const customers = readCustomers(reading, found);
  if (typeof count === 'number' && count !== customers.length) {
    const message = `customer_count says ${count}, but there are ${customers.length} customers: they count`;
    reading.warn('count_disagrees', 'customer_count', message);
  }
  const notes = textOf(withoutNoteLines(textOf(found.note) ?? ''));
  const booking: Booking = {
    ...readCustomFields(found.custom_field_values, reservedNames),
    id: requiredText(reading, found.uuid, 'uuid'),
    status: requiredText(reading, found.status, 'status'),
    contact: readContact(reading, found.contact),
    pax: paxOf(reading, found, customers, guestCountField),
    guests: customers.map((one) => readGuest(one, guestNameField)),
    // Invalid times must not hide that a booking is cancelled.
    bookedSessions: readSessions(isCancelled(found) ? new Reading() : reading, found.availability),
    ...definedFields({ notes, displayId: textOf(found.display_id) }),
  };
  return finishNativeBooking(reading, booking, { bookingId, idPath: 'uuid', withoutSession }, statusMap);
}
