import type { BookingSystemHttp, FetchedBooking } from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
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
import { raiseForOcto } from './answers.ts';
import { personOf, readGuests } from './read/guests.ts';
import { type BookedProduct, findProduct, type ProductContext, unitOf } from './read/product.ts';
import { readSession } from './read/session.ts';
import { attendedItems, statusOf, type UnitItem } from './read/unit-items.ts';
import { isCancelled, statusMap } from './status-map.ts';

/** Reads one booking. Throws core's errors. */
export async function fetchBooking(context: ProductContext, bookingId: string): Promise<FetchedBooking> {
  const path = `bookings/${bookingSegment(bookingId, 'read')}`;
  return readFoundBooking(context, await requestBooking(context.http, path, bookingId), bookingId);
}

/** Reads a booking that was found, and its product if the booking does not include it. Throws core's errors. */
export async function readFoundBooking(
  context: ProductContext,
  booking: JsonObject,
  bookingId: string,
): Promise<FetchedBooking> {
  const reading = new Reading();
  const items = attendedItems(reading, booking);
  const product = await findProduct(reading, context, booking, items, bookingId);
  return readBooking(reading, booking, items, product, bookingId);
}

/**
 * Requests a booking by its path. `bookingId` is given for a read, and absent for the read before a write. Throws
 * core's errors.
 */
export async function requestBooking(
  http: BookingSystemHttp,
  path: string,
  bookingId?: string,
): Promise<JsonObject> {
  const response = await http.get(path);
  raiseForOcto(response, bookingId);
  return expectObject(response.data);
}

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
function readBooking(
  reading: Reading,
  found: JsonObject,
  items: readonly UnitItem[],
  product: BookedProduct,
  bookingId: string,
): FetchedBooking {
  const booker = personOf(found.contact);
  // Invalid times must not hide that a booking is cancelled.
  const status = statusOf(found);
  const sessionReading = isCancelled(status) ? new Reading() : reading;
  const session = readSession(sessionReading, found, product.product);
  const booking = {
    id: requiredText(reading, found.uuid, 'uuid'),
    status: requiredText(reading, status, 'status'),
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
