import type { BookedSession, BookingSystemContext, FetchedBooking, StatusGroup } from '@waiver-service/core';
import { InvalidBookingResponse } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';
import { type UnitItem, unitItemsOf } from './unit-items.ts';

/** What OCTO's statuses mean. */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  REDEEMED: 'active',
  ON_HOLD: 'other',
  PENDING: 'other',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  REJECTED: 'cancelled',
};

const personOf = (value: unknown): kit.Person =>
  kit.vendorPerson({ ...kit.objectOf(value), email: kit.objectOf(value).emailAddress });

// A family is one unit item of several people.
function paxOf(reading: kit.Reading, { value, path }: UnitItem): number {
  const { paxCount } = kit.objectOf(kit.objectOf(value.unit).restrictions);
  return kit.requiredCount(reading, paxCount ?? 1, `${path}.unit.restrictions.paxCount`);
}

function readSession(reading: kit.Reading, booking: kit.JsonObject): BookedSession {
  const [availability, product] = [kit.objectOf(booking.availability), kit.objectOf(booking.product)];
  const [startsAt, endsAt] = ['localDateTimeStart', 'localDateTimeEnd'].map((name) =>
    kit.vendorDateTime(reading, availability[name], `availability.${name}`, kit.textOf(product.timeZone)),
  );
  reading.throwIfRefused();
  if (startsAt === undefined) {
    const said = 'the booking is open-dated: it has no availability, so no session to check in to';
    throw new InvalidBookingResponse(`${said}; choose a date for it in the booking system`);
  }
  const limits = `${availability.localDateTimeStart} ${availability.localDateTimeEnd}`;
  const isDay = availability.allDay === true || /T00:00.*T00:00/.test(limits);
  if (isDay || product.availabilityType === 'OPENING_HOURS') {
    reading.warn('session_incomplete', 'availability', 'no time was booked: the session is the whole day');
  }
  const activityName = kit.textOf(product.title) ?? product.internalName;
  const fields = { startsAt, endsAt, activityId: booking.productId, activityName };
  return kit.vendorSession(reading, fields, 'availability');
}

/** Reads one booking, `GET /bookings/{uuid}`, tolerantly. InvalidBookingResponse names each field at fault. */
export async function fetchBooking(
  context: BookingSystemContext,
  bookingId: string,
): Promise<FetchedBooking> {
  const response = await context.http.get(`bookings/${kit.bookingSegment(bookingId, 'read')}`);
  raiseForOcto(response, bookingId);
  const answer = kit.expectObject(response.data);
  const reading = new kit.Reading();
  const booker = personOf(answer.contact);
  // An item on hold is expected: some stay so in a confirmed booking.
  const isLive = ({ value }: UnitItem) => statusMap[String(value.status)] !== 'cancelled';
  const live = unitItemsOf(reading, answer.unitItems).filter(isLive);
  const guests = live.map(({ value: { contact, unit, waiversComplete }, path, id }) => {
    const person = kit.unlessBooker(personOf(contact), booker);
    const unitType = kit.textOf(kit.objectOf(unit).type);
    return kit.vendorGuest(reading, { id, ...person, unitType, waiversComplete }, path);
  });
  const booking = {
    id: kit.requiredText(reading, answer.uuid, 'uuid'),
    status: kit.requiredText(reading, answer.status, 'status'),
    contact: kit.vendorContact(reading, booker, 'contact'),
    pax: live.reduce((sum, item) => sum + paxOf(reading, item), 0),
    guests,
    bookedSessions: [readSession(reading, answer)],
    notes: kit.textOf(kit.withoutNoteLines(kit.textOf(answer.notes) ?? '')),
    supplierReference: kit.textOf(answer.supplierReference),
    waiversComplete: answer.waiversComplete,
  };
  return kit.nativeBooking(reading, booking, { bookingId, idPath: 'uuid' }, statusMap);
}
