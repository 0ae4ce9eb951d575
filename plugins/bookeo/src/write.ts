import { InvalidBookingResponse, type PushedWaiver, type Waiver } from '@waiver-service/core';
import {
  isJsonObject,
  type JsonObject,
  objectOf,
  quoted,
  raiseForRefusedWaiver,
  rejectNotFound,
  textOf,
} from '@waiver-service/plugin-kit';
import { customerOf, isVacant, type Participant, participantsOf } from './read/participants.ts';
import { requestBooking } from './read.ts';
import type { Context } from './settings.ts';
import { reasonNotToChange } from './write/booking-update.ts';
import { fillPlace } from './write/fill-place.ts';
import { isNameless, namesOf } from './write/names.ts';
import { withWaiver } from './write/waiver-field.ts';

// Fields that Bookeo maintains itself.
const readOnly = /^(id|customerId|creationTime|startTimeOf.+|credit|num[A-Z].+|member|membershipEnd)$/;

/**
 * The person with the waiver's line, and with the shared name if they have none; `undefined` if nothing changes. All
 * other fields are sent back unchanged: Bookeo does not document whether a change may omit fields.
 */
function changedPerson(person: JsonObject, waiverField: string, waiver: Waiver): JsonObject | undefined {
  const customFields = withWaiver(person, waiverField, waiver);
  if (customFields === undefined) return undefined;
  const writable = Object.entries(person).filter(([name, value]) => !readOnly.test(name) && value !== null);
  const names = isNameless(person) && !waiver.deleted ? namesOf(waiver) : {};
  return { ...Object.fromEntries(writable), ...names, customFields };
}

/**
 * Everyone in a booking whom our key may change, by path, since one person may hold several places. The customer as such
 * takes precedence over the customer as a participant, whose details need not have all of a customer's fields.
 */
function changeablePeople(booking: JsonObject, places: readonly Participant[]): Map<string, JsonObject> {
  const people = new Map<string, JsonObject>();
  for (const { address, person } of [customerOf(booking), ...places]) {
    if (address !== undefined && !people.has(address)) people.set(address, person);
  }
  return people;
}

/**
 * Writes the waiver's line to the person at `holderAddress`, and removes it from everyone else, since the place may have
 * changed hands. Returns whether anyone was changed.
 */
async function updatePeople(
  { http, account: { waiverField } }: Context,
  people: ReadonlyMap<string, JsonObject>,
  holderAddress: string | undefined,
  waiver: Waiver,
): Promise<boolean> {
  let isAnyoneChanged = false;
  for (const [address, person] of people) {
    const version = address === holderAddress ? waiver : { ...waiver, deleted: true };
    const body = changedPerson(person, waiverField, version);
    if (body === undefined) continue;
    const response = await http.put(address, body);
    const system = `Bookeo (custom field ${quoted(waiverField)})`;
    raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));
    isAnyoneChanged = true;
  }
  return isAnyoneChanged;
}

/** Throws unless the answer is a booking: one without participants would have a void accepted that removed nothing. */
function requireBooking({ bookingNumber, participants }: JsonObject): void {
  const problems = [
    ...(textOf(bookingNumber) === undefined ? [{ path: 'bookingNumber', message: 'is missing' }] : []),
    ...(isJsonObject(participants) ? [] : [{ path: 'participants', message: 'is missing' }]),
  ];
  if (problems.length > 0) throw new InvalidBookingResponse('the answer is not a booking', problems);
}

const accepted: PushedWaiver = { accepted: true, warnings: [] };

/**
 * Writes the waiver's line to the person who holds its place in the booking; a void removes it from everyone. An empty
 * place gets a new person. If that is not possible, the line is not written to another record instead, such as the
 * customer's: the customer could then read a guest's answers.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const { bookingId, bookingGuestId, deleted } = waiver;
  const booking = await requestBooking(context, bookingId).catch(rejectNotFound);
  requireBooking(booking);
  const places = participantsOf(booking);
  const place = places.find(({ slot }) => slot !== undefined && slot === bookingGuestId);
  const people = changeablePeople(booking, places);
  const isAnyoneChanged = await updatePeople(context, people, place?.address, waiver);

  const notWritten = (reason: string): PushedWaiver => {
    const taken = isAnyoneChanged ? '; the waiver was taken from who held it before' : '';
    return { accepted: false, reason: `${reason}${taken}`, warnings: [] };
  };

  const guest = quoted(bookingGuestId ?? '');
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
  return fillPlace(context, booking, places.indexOf(place), waiver);
}
