import {
  InvalidBookingResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
  type Warning,
} from '@waiver-service/core';
import {
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  quoted,
  raiseForStatus,
  textOf,
  vendorMessageIn,
} from '@waiver-service/plugin-kit';
import { customerOf, isKnown, isVacant, participantsOf, requestBooking } from './read.ts';
import type { Context } from './settings.ts';
import {
  findLosses,
  hasUnclearLines,
  type Losses,
  namesOf,
  updatePeople,
  type WrittenPeople,
} from './write/update-people.ts';
import { isWaiverField, withWaiver } from './write/waiver-field.ts';

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
function reasonNotToChange(booking: JsonObject): string | undefined {
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

// No notifications by mail or SMS. `backend` makes changes as a manager, which is possible even when customers can no
// longer change the booking, for example shortly before it begins.
const updateParams = { notifyUsers: 'false', notifyCustomer: 'false', mode: 'backend' };

// The waiver field with Bookeo's own id and name, if anyone in the booking has it.
function emptyField(booking: JsonObject, waiverField: string): JsonObject {
  const field = [customerOf(booking), ...participantsOf(booking)]
    .flatMap(({ person }) => objectsIn(person.customFields))
    .find((one) => isWaiverField(one, waiverField));
  return field === undefined ? {} : { customFields: [{ ...field, value: '' }] };
}

/** Bookeo's name in messages, with a hint at the cause if it refuses the change. */
function systemIn({ account }: Context, isNameless: boolean): string {
  const hint = isNameless ? ', from a person without a name: share `name`' : '';
  return `Bookeo (custom field ${quoted(account.waiverField)}${hint})`;
}

const partlyWritten = (message: string): Warning => ({ code: 'waiver_partly_written', message });

/**
 * Puts a new person with the waiver's line into an empty place, and reads the booking again to verify the result:
 * Bookeo does not document the response to such a change, and documents a person's details for new bookings only. If
 * our key may not read the new person, the line cannot be verified and does not count as written.
 * @param index - the place's position among the participants' details
 */
async function fillPlace(
  context: Context,
  booking: JsonObject,
  index: number,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const { waiverField } = context.account;
  const { bookingId, bookingGuestId: slot } = waiver;
  const names = namesOf(waiver);
  const customFields = withWaiver(emptyField(booking, waiverField), waiverField, waiver);
  const body = withNewPerson(booking, index, { ...names, customFields });
  const address = `bookings/${percentEncode(bookingId)}`;
  const response = await context.http.put(address, body, { params: updateParams });
  const bookingSystem = systemIn(context, Object.keys(names).length === 0);
  const vendorMessage = vendorMessageIn(response.data, 'message');
  raiseForStatus(response, { bookingSystem, purpose: 'guest-update', vendorMessage });

  const bookingAfter = await requestBooking(context, bookingId);
  const place = participantsOf(bookingAfter).find((one) => one.slot === slot);
  const isStored =
    place !== undefined &&
    !isVacant(place) &&
    (!isKnown(place.person) || withWaiver(place.person, waiverField, waiver) === undefined);
  if (!isStored) {
    const message = `${bookingSystem} took the change and did not keep the waiver: is it a field for participants?`;
    throw new WaiverRejected(message, { retry: 'three-attempts', upstreamStatus: response.status });
  }

  const warnings: Warning[] = [];
  const changes = unintendedChanges(booking, bookingAfter, slot);
  if (changes.length > 0) {
    const message = `the booking has another ${changes.join(', ')} than before the waiver: look at it in Bookeo`;
    warnings.push(partlyWritten(message));
  }
  if (isKnown(place.person)) return { accepted: true, warnings };
  const reason =
    'Bookeo filled the place and shows nothing of the new participant, so it is unknown whether the waiver was kept: look at the booking in Bookeo, and allow our application to read linked people';
  return { accepted: false, reason, warnings };
}

/** Throws unless the answer is a booking: without participants, a void that removed nothing would pass. */
function requireBooking({ bookingNumber, participants }: JsonObject): void {
  const problems = [
    ...(textOf(bookingNumber) === undefined ? [{ path: 'bookingNumber', message: 'is missing' }] : []),
    ...(isJsonObject(participants) ? [] : [{ path: 'participants', message: 'is missing' }]),
  ];
  if (problems.length > 0) throw new InvalidBookingResponse('the answer is not a booking', problems);
}

async function readBooking(context: Context, bookingId: string): Promise<JsonObject> {
  const booking = await requestBooking(context, bookingId);
  requireBooking(booking);
  return booking;
}

/** Reads the booking again if anyone was changed: a 200 does not say what Bookeo stored. */
async function verifyPeople(context: Context, waiver: Waiver, written: WrittenPeople): Promise<Losses> {
  if (written.size === 0) return { isLineLost: false, isLineLeft: false, fields: [] };
  const bookingAfter = await readBooking(context, waiver.bookingId);
  return findLosses(bookingAfter, context.account.waiverField, waiver, written);
}

const left =
  'Bookeo took the change and left the waiver’s line with a person of the booking: take it out there by hand';
const unclear =
  'a person of the booking has a line of the waiver from before lines named their booking, and it may be of another one: if not, take it out there by hand';

const warningsOf = ({ isLineLeft, fields }: Losses, deleted: boolean): Warning[] => [
  ...(isLineLeft && !deleted ? [partlyWritten(left)] : []),
  ...(fields.length > 0
    ? [
        partlyWritten(
          `with the waiver’s line, other fields of a person changed (${fields.join(', ')}): look at who takes part in the booking in Bookeo`,
        ),
      ]
    : []),
];

/**
 * Writes the waiver's line to the person who holds its place in the booking; a void removes it from everyone. An empty
 * place gets a new person. If neither is possible, the line is not written elsewhere, such as to the customer, who
 * could then read a guest's answers. Only a line that the booking shows afterwards counts as written.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const { bookingId, bookingGuestId, deleted } = waiver;
  const booking = await readBooking(context, bookingId);
  const places = participantsOf(booking);
  const place = places.find(({ slot }) => slot !== undefined && slot === bookingGuestId);
  const written = await updatePeople(context, booking, place?.address, waiver);
  const losses = await verifyPeople(context, waiver, written);

  const { waiverField } = context.account;
  const warnings = warningsOf(losses, deleted);
  if (deleted && losses.isLineLeft) return { accepted: false, reason: left, warnings };
  if (deleted && hasUnclearLines(booking, waiverField, waiver)) {
    return { accepted: false, reason: unclear, warnings };
  }
  const accepted: PushedWaiver = { accepted: true, warnings };
  const isTaken = !losses.isLineLeft && [...written.values()].some(({ hasLine }) => !hasLine);
  const notWritten = (reason: string): PushedWaiver => {
    const taken = isTaken ? '; the waiver was taken from who held it before' : '';
    return { accepted: false, reason: `${reason}${taken}`, warnings };
  };

  const guest = quoted(bookingGuestId ?? '');
  if (losses.isLineLost) {
    return notWritten(
      `Bookeo took the change and does not show the waiver in the custom field ${quoted(waiverField)} of who holds the place ${guest}: note the waiver by hand, and check that it is a field of customers and participants`,
    );
  }
  if (place === undefined) {
    return deleted ? accepted : notWritten(`Bookeo has no place ${guest} in the booking`);
  }
  if (place.address !== undefined) return accepted;
  if (!isVacant(place)) {
    return notWritten(
      `our key may not change who holds the place ${guest}: allow our application to read and change customers and linked people`,
    );
  }
  if (deleted) return accepted;
  const obstacle = reasonNotToChange(booking);
  if (obstacle !== undefined) {
    return notWritten(`Bookeo has no person in the place ${guest}, and ${obstacle}`);
  }
  const filled = await fillPlace(context, booking, places.indexOf(place), waiver);
  return { ...filled, warnings: [...warnings, ...filled.warnings] };
}
