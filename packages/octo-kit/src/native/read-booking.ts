import type { FetchedBooking } from '@waiver-service/core';
import {
  finishNativeBooking,
  type JsonObject,
  objectOf,
  Reading,
  requiredCount,
  requiredText,
  textOf,
  vendorContact,
  withoutNoteLines,
} from '@waiver-service/plugin-kit';
import { personOf, readGuests } from './guests.ts';
import { type BookedProduct, unitOf } from './product.ts';
import { readSession } from './session.ts';
import { isCancelled, statusMap } from './status.ts';
import type { UnitItem } from './unit-items.ts';

const withoutSession =
  'the booking is open-dated: it has no availability, so no session to check in to; choose a date for it in the booking system';

/** The number of people: a family ticket is one unit item for several. */
function readPax(reading: Reading, items: readonly UnitItem[], { units }: BookedProduct): number {
  const counts = items.map((item) => {
    const { paxCount } = objectOf(unitOf(item, units).restrictions);
    return requiredCount(reading, paxCount ?? 1, `${item.path}.unit.restrictions.paxCount`);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Reads a booking whose product is known. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(
  reading: Reading,
  found: JsonObject,
  items: readonly UnitItem[],
  product: BookedProduct,
  bookingId: string,
): FetchedBooking {
  const booker = personOf(found.contact);
  // Invalid times must not hide that a booking is cancelled.
  const sessionReading = isCancelled(found.status) ? new Reading() : reading;
  const session = readSession(sessionReading, found, product.product);
  const booking = {
    id: requiredText(reading, found.uuid, 'uuid'),
    status: requiredText(reading, found.status, 'status'),
    contact: vendorContact(reading, booker, 'contact'),
    pax: readPax(reading, items, product),
    guests: readGuests(items, product.units, booker),
    bookedSessions: session === undefined ? [] : [session],
    notes: textOf(withoutNoteLines(textOf(found.notes) ?? '')),
    supplierReference: textOf(found.supplierReference),
    waiversComplete: found.waiversComplete,
  };
  return finishNativeBooking(reading, booking, { bookingId, idPath: 'uuid', withoutSession }, statusMap);
}
