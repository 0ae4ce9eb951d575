import type { BookedSession, Booking, Contact, FetchedBooking, StatusGroup } from '@waiver-service/core';
import {
  filledFields,
  isJsonObject,
  type JsonObject,
  kindOf,
  nativeBooking,
  objectOf,
  Reading,
  requiredText,
  textOf,
  vendorContact,
  vendorDateTime,
  vendorSession,
  withoutNoteLines,
} from '@waiver-service/plugin-kit';
import { readGuest } from './guest.ts';

/** What FareHarbor's statuses mean. A rebooked booking that leads on is read as the one that took its place. */
export const statusMap: Record<string, StatusGroup> = {
  booked: 'active',
  cancelled: 'cancelled',
  rebooked: 'cancelled',
};

function readSession(reading: Reading, found: unknown): BookedSession {
  const { start_at, end_at, item, headline } = objectOf(found);
  const { pk: activityId, name } = objectOf(item);
  // FareHarbor writes the company's offset without a colon: `+0200`.
  const startsAt = vendorDateTime(reading, start_at, 'availability.start_at');
  const endsAt = vendorDateTime(reading, end_at, 'availability.end_at');
  const activityName = textOf(name) ?? headline;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, 'availability');
}

function readContact(reading: Reading, found: unknown): Contact {
  if (!isJsonObject(found)) reading.refuse('contact', `is ${kindOf(found)} where an object must be`);
  const { name, email, normalized_phone, phone } = objectOf(found);
  return vendorContact(reading, { name, email, phoneNumber: textOf(normalized_phone) ?? phone }, 'contact');
}

/** Reads a booking of FareHarbor's. Throws InvalidBookingResponse, which names each field at fault. */
export function readBooking(found: JsonObject, bookingId: string, nameField?: string): FetchedBooking {
  const reading = new Reading();
  const { customers, customer_count: count } = found;
  if (!Array.isArray(customers)) reading.refuse('customers', `is ${kindOf(customers)} where a list must be`);
  const people: unknown[] = Array.isArray(customers) ? customers : [];
  if (typeof count === 'number' && count !== people.length) {
    const message = `customer_count says ${count}, but there are ${people.length} customers: they count`;
    reading.warn('count_disagrees', 'customer_count', message);
  }
  const notes = textOf(withoutNoteLines(textOf(found.note) ?? ''));
  const booking: Booking = {
    id: requiredText(reading, found.uuid, 'uuid'),
    status: requiredText(reading, found.status, 'status'),
    contact: readContact(reading, found.contact),
    pax: people.length,
    guests: people.map((one, index) => readGuest(reading, one, `customers[${index}]`, nameField)),
    bookedSessions: [readSession(reading, found.availability)],
    ...filledFields({ notes, displayId: textOf(found.display_id) }),
  };
  return nativeBooking(reading, booking, { bookingId, idPath: 'uuid' }, statusMap);
}
