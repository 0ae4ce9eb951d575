import type { Waiver } from '@waiver-service/core';
import { type JsonObject, objectOf, quoted, raiseForRefusedWaiver, textOf } from '@waiver-service/plugin-kit';
import { customerOf, participantsOf } from '../read/participants.ts';
import type { Context } from '../settings.ts';
import { isNameless, namesOf } from './names.ts';
import { withWaiver } from './waiver-field.ts';

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
 * Everyone in a booking whom our key may change, by path, since one person may hold several places. The customer record
 * takes precedence over the customer as a participant, whose details may lack some of its fields.
 */
function changeablePeople(booking: JsonObject): Map<string, JsonObject> {
  const people = new Map<string, JsonObject>();
  for (const { address, person } of [customerOf(booking), ...participantsOf(booking)]) {
    if (address !== undefined && !people.has(address)) people.set(address, person);
  }
  return people;
}

/** The written versions of the waiver, by the person's address: a void where the line was removed. */
export type WrittenLines = ReadonlyMap<string, Waiver>;

/**
 * Writes the waiver's line to the person at `holderAddress`, and removes it from everyone else in the booking, since the
 * place may have changed hands.
 */
export async function updatePeople(
  { http, account: { waiverField } }: Context,
  booking: JsonObject,
  holderAddress: string | undefined,
  waiver: Waiver,
): Promise<WrittenLines> {
  const written = new Map<string, Waiver>();
  for (const [address, person] of changeablePeople(booking)) {
    const version = address === holderAddress ? waiver : { ...waiver, deleted: true };
    const body = changedPerson(person, waiverField, version);
    if (body === undefined) continue;
    const response = await http.put(address, body);
    const system = `Bookeo (custom field ${quoted(waiverField)})`;
    raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));
    written.set(address, version);
  }
  return written;
}

/**
 * Compares the booking after {@link updatePeople} with what was written. `isLost`: the person who should have the line
 * does not show it; `isLeft`: a person still shows a removed line. A person whom the booking no longer shows counts as
 * either.
 */
export function findLostLines(
  bookingAfter: JsonObject,
  waiverField: string,
  written: WrittenLines,
): { readonly isLost: boolean; readonly isLeft: boolean } {
  const people = changeablePeople(bookingAfter);
  const wrong = [...written].filter(([address, version]) => {
    const person = people.get(address);
    return person === undefined || withWaiver(person, waiverField, version) !== undefined;
  });
  return {
    isLost: wrong.some(([, { deleted }]) => !deleted),
    isLeft: wrong.some(([, { deleted }]) => deleted),
  };
}
