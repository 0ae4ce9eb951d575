import type { BookedSession, BookingSystemContext, FetchedBooking, StatusGroup } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';
import { personOf, readGuests, unitOf } from './guests.ts';
import { productOf } from './product.ts';
import { type UnitItem, unitItemsOf } from './unit-items.ts';

export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  REDEEMED: 'active',
  ON_HOLD: 'other',
  PENDING: 'other',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  REJECTED: 'cancelled',
};

// A family ticket is one unit item for several people.
function paxOf(reading: kit.Reading, unit: kit.JsonObject, { path }: UnitItem): number {
  const { paxCount } = kit.objectOf(unit.restrictions);
  return kit.requiredCount(reading, paxCount ?? 1, `${path}.unit.restrictions.paxCount`);
}

const withoutSession =
  'the booking is open-dated: it has no availability, so no session to check in to; choose a date for it in the booking system';

function readSessions(
  reading: kit.Reading,
  booking: kit.JsonObject,
  product: kit.JsonObject,
): BookedSession[] {
  const availability = kit.objectOf(booking.availability);
  const timeZone = kit.textOf(product.timeZone);
  const dateTime = (name: string) =>
    kit.vendorDateTime(reading, availability[name], `availability.${name}`, timeZone);
  const startsAt = dateTime('localDateTimeStart');
  const endsAt = dateTime('localDateTimeEnd');
  if (startsAt === undefined) return [];
  const limits = `${availability.localDateTimeStart} ${availability.localDateTimeEnd}`;
  const isDay = availability.allDay === true || /T00:00.*T00:00/.test(limits);
  if (isDay || product.availabilityType === 'OPENING_HOURS') {
    reading.warn('session_incomplete', 'availability', 'no time was booked: the session is the whole day');
  }
  const activityName = kit.textOf(product.title) ?? product.internalName;
  const fields = { startsAt, endsAt, activityId: booking.productId, activityName };
  return [kit.vendorSession(reading, fields, 'availability')];
}

/** Reads one booking, `GET /bookings/{uuid}`. Throws InvalidBookingResponse, which names each invalid field. */
export async function fetchBooking(
  { http }: Pick<BookingSystemContext, 'http'>,
  bookingId: string,
): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${kit.bookingSegment(bookingId, 'read')}`);
  raiseForOcto(response, bookingId);
  const answer = kit.expectObject(response.data);
  const reading = new kit.Reading();
  const status = kit.requiredText(reading, answer.status, 'status');
  const isCancelled = statusMap[status] === 'cancelled';
  const booker = personOf(answer.contact);
  const items = unitItemsOf(reading, isCancelled ? (answer.unitItems ?? []) : answer.unitItems);
  // Items on hold count: some stay on hold in a confirmed booking. A cancelled booking keeps all its items.
  const isExpected = ({ value }: UnitItem) => isCancelled || statusMap[String(value.status)] !== 'cancelled';
  const expected = items.filter(isExpected);
  const { product, units } = await productOf(reading, http, answer, expected, bookingId);
  const booking = {
    id: kit.requiredText(reading, answer.uuid, 'uuid'),
    status,
    contact: kit.vendorContact(reading, booker, 'contact'),
    pax: expected.reduce((sum, item) => sum + paxOf(reading, unitOf(item, units), item), 0),
    guests: readGuests(expected, units, booker),
    // Invalid times must not hide that a booking is cancelled.
    bookedSessions: readSessions(isCancelled ? new kit.Reading() : reading, answer, product),
    notes: kit.textOf(kit.withoutNoteLines(kit.textOf(answer.notes) ?? '')),
    supplierReference: kit.textOf(answer.supplierReference),
    waiversComplete: answer.waiversComplete,
  };
  return kit.finishNativeBooking(reading, booking, { bookingId, idPath: 'uuid', withoutSession }, statusMap);
}
