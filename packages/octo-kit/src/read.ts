import type {
  BookedSession,
  BookingSystemHttp,
  BookingSystemResponse,
  FetchedBooking,
} from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  finishNativeBooking,
  type JsonObject,
  objectOf,
  objectsIn,
  Reading,
  type RequestPurpose,
  requiredCount,
  requiredText,
  textOf,
  vendorContact,
  vendorDateTime,
  vendorSession,
  withoutNoteLines,
} from '@waiver-service/plugin-kit';
import { isCancelled, raiseForOcto, statusMap } from './answers.ts';
import {
  attendedItems,
  type BookedProduct,
  findProduct,
  type ProductContext,
  personOf,
  readGuests,
  statusOf,
  type UnitItem,
  unitOf,
} from './read/unit-items.ts';

/** A client that requests each URL only once. */
export function askingOnce(http: BookingSystemHttp): BookingSystemHttp {
  const answers = new Map<string, Promise<BookingSystemResponse>>();
  return {
    ...http,
    get(url, request) {
      const answer = answers.get(url) ?? http.get(url, request);
      answers.set(url, answer);
      return answer;
    },
  };
}

const isStartOfDay = (time: unknown): boolean => typeof time === 'string' && time.includes('T00:00');

/**
 * Why the session is not a time that was booked, if so: some systems write a whole day as midnight to midnight, and
 * opening hours that are a part of the day are not the whole day.
 */
function withoutBookedTime(availability: JsonObject, product: JsonObject): string | undefined {
  const { localDateTimeStart: start, localDateTimeEnd: end, allDay, openingHours } = availability;
  if (isStartOfDay(start) && isStartOfDay(end)) return 'the session is the whole day';
  if (product.availabilityType === 'OPENING_HOURS') return 'the session is the opening hours';
  if (allDay !== true) return undefined;
  // A product that no longer exists has no type.
  return `the session is ${objectsIn(openingHours).length > 0 ? 'the opening hours' : 'the whole day'}`;
}

/** The booked availability; `undefined` if the booking is open-dated. */
function readSession(reading: Reading, booking: JsonObject, product: JsonObject): BookedSession | undefined {
  const availability = objectOf(booking.availability);
  const timeZone = textOf(product.timeZone);
  const readTime = (name: 'localDateTimeStart' | 'localDateTimeEnd') =>
    vendorDateTime(reading, availability[name], `availability.${name}`, timeZone);
  const startsAt = readTime('localDateTimeStart');
  const endsAt = readTime('localDateTimeEnd');
  if (startsAt === undefined) return undefined;
  const session = withoutBookedTime(availability, product);
  if (session !== undefined) {
    reading.warn('session_incomplete', 'availability', `no time was booked: ${session}`);
  }
  const activityId = booking.productId;
  const activityName = textOf(product.title) ?? product.internalName;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, 'availability');
}

/** Reads one booking. Throws core's errors. */
export async function fetchBooking(context: ProductContext, bookingId: string): Promise<FetchedBooking> {
  const path = `bookings/${bookingSegment(bookingId, 'read')}`;
  const booking = await requestBooking(context.http, path, { purpose: 'read', bookingId });
  return readFoundBooking(context, booking, bookingId);
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

/** Requests a booking by its path. Throws core's errors. */
export async function requestBooking(
  http: BookingSystemHttp,
  path: string,
  request: RequestPurpose,
): Promise<JsonObject> {
  const response = await http.get(path);
  raiseForOcto(response, request);
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
