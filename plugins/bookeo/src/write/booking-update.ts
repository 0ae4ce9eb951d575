import { type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';
import { participantsOf } from '../read/participants.ts';

// Read-only according to Bookeo's documentation, or only for new bookings. Everything else is sent back unchanged: fields
// that a change omits may be lost.
const unsentFields: ReadonlySet<string> = new Set([
  'bookingNumber',
  'title',
  'customer',
  'canceled',
  'cancelationTime',
  'cancelationAgent',
  'accepted',
  'noShow',
  'creationTime',
  'creationAgent',
  'lastChangeTime',
  'lastChangeAgent',
  'productName',
  'price',
  'promotionName',
  'couponCodes',
  'specificVoucherCode',
]);

const isPresent = (value: unknown) => (Array.isArray(value) ? value.length > 0 : textOf(value) !== undefined);

/** Why a booking must not be changed, as part of a sentence; `undefined` if it may be. */
export function reasonNotToChange(booking: JsonObject): string | undefined {
  if (booking.canceled === true) return 'the booking is canceled';
  const { promotionName, couponCodes, specificVoucherCode } = booking;
  if ([promotionName, couponCodes, specificVoucherCode].some(isPresent)) {
    return 'the booking has a promotion or a voucher, which a change could lose: Bookeo shows them but does not accept them back';
  }
  return undefined;
}

/**
 * The body of `PUT /bookings/{bookingNumber}` that puts a new person into the place at `index` of the details. A
 * booking of an event is identified by `eventId` only; one with resources, or without an event, must send its times, or
 * Bookeo computes others.
 */
export function withNewPerson(booking: JsonObject, index: number, personDetails: JsonObject): JsonObject {
  const { numbers, details } = objectOf(booking.participants);
  const holders = participantsOf(booking);
  const places = objectsIn(details).map(({ peopleCategoryId, categoryIndex }, at) =>
    at === index
      ? { personId: 'PNEW', peopleCategoryId, categoryIndex, personDetails }
      : // The holder may be named only in the person's details; a place sent without its holder becomes empty.
        { personId: holders[at]?.personId, peopleCategoryId, categoryIndex },
  );
  const isByEvent = textOf(booking.eventId) !== undefined && objectsIn(booking.resources).length === 0;
  const unusedTimes = isByEvent ? ['startTime', 'endTime'] : ['eventId'];
  const kept = Object.entries(booking).filter(
    ([name, value]) => !unsentFields.has(name) && !unusedTimes.includes(name) && value !== null,
  );
  return { ...Object.fromEntries(kept), participants: { numbers, details: places } };
}

const holdersOfOtherPlaces = (booking: JsonObject, slot: string | undefined) =>
  participantsOf(booking)
    .filter((place) => place.slot !== slot)
    .map((place) => `${place.slot} ${place.personId}`)
    .toSorted();

/** The names of the fields of a booking that changed unintentionally; who holds the place `slot` is not compared. */
export function unintendedChanges(before: JsonObject, after: JsonObject, slot: string | undefined): string[] {
  const watched = (booking: JsonObject): JsonObject => ({
    startTime: booking.startTime,
    endTime: booking.endTime,
    price: objectOf(booking.price).totalGross,
    options: booking.options,
    resources: booking.resources,
    numbers: objectOf(booking.participants).numbers,
    participants: holdersOfOtherPlaces(booking, slot),
  });
  const was = watched(before);
  const is = watched(after);
  return Object.keys(was).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
}
