import { type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';
import { participantsOf } from './native/participants.ts';

// Read-only by Bookeo's documents, or for a new booking alone. All else that Bookeo told goes back as it came: what a
// change leaves out may be lost.
const notTaken: ReadonlySet<string> = new Set([
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

const isSaid = (value: unknown) => (Array.isArray(value) ? value.length > 0 : textOf(value) !== undefined);

/** Why a booking is better not changed, in a sentence; `undefined` where it can be. */
export function reasonNotToChange(booking: JsonObject): string | undefined {
  if (booking.canceled === true) return 'the booking is canceled';
  const { promotionName, couponCodes, specificVoucherCode } = booking;
  if ([promotionName, couponCodes, specificVoucherCode].some(isSaid)) {
    return 'the booking has a promotion or a voucher, which a change could lose: Bookeo tells of it but does not take it back';
  }
  return undefined;
}

/**
 * The booking as `PUT /bookings/{bookingNumber}` is to have it, with a new person in the place of that index among its
 * details. The other places keep who they have. An event says when it is; only a booking that has resources, or no
 * event, says it by its times, or Bookeo would work out others.
 */
export function withNewPerson(booking: JsonObject, index: number, personDetails: JsonObject): JsonObject {
  const { numbers, details } = objectOf(booking.participants);
  const places = objectsIn(details).map(({ personId = 'PUNKNOWN', peopleCategoryId, categoryIndex }, at) =>
    at === index
      ? { personId: 'PNEW', peopleCategoryId, categoryIndex, personDetails }
      : { personId, peopleCategoryId, categoryIndex },
  );
  const isByEvent = textOf(booking.eventId) !== undefined && objectsIn(booking.resources).length === 0;
  const unusedTimes = isByEvent ? ['startTime', 'endTime'] : ['eventId'];
  const kept = Object.entries(booking).filter(
    ([name, value]) => !notTaken.has(name) && !unusedTimes.includes(name) && value !== null,
  );
  return { ...Object.fromEntries(kept), participants: { numbers, details: places } };
}

const holdersBesides = (booking: JsonObject, slot: string | undefined) =>
  participantsOf(booking)
    .filter((place) => place.slot !== slot)
    .map((place) => `${place.slot} ${place.personId}`)
    .toSorted();

/** What of a booking is another than before, besides who holds one place: by Bookeo's doing, or somebody else's. */
export function changesBetween(before: JsonObject, after: JsonObject, slot: string | undefined): string[] {
  const watched = (booking: JsonObject): JsonObject => ({
    startTime: booking.startTime,
    endTime: booking.endTime,
    price: objectOf(booking.price).totalGross,
    options: booking.options,
    resources: booking.resources,
    numbers: objectOf(booking.participants).numbers,
    participants: holdersBesides(booking, slot),
  });
  const [was, is] = [watched(before), watched(after)];
  return Object.keys(was).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
}
