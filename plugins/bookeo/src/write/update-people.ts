import type { Waiver } from '@waiver-service/core';
import { type JsonObject, objectOf, quoted, raiseForRefusedWaiver, textOf } from '@waiver-service/plugin-kit';
import { customerOf, participantsOf } from '../read/participants.ts';
import type { Context } from '../settings.ts';
import { lostFields } from './lost-fields.ts';
import { isNameless, namesOf } from './names.ts';
import { hasUnclearLine, withWaiver } from './waiver-field.ts';

// Fields that Bookeo maintains itself.
const readOnly = /^(id|customerId|creationTime|startTimeOf.+|credit|num[A-Z].+|member|membershipEnd)$/;

/**
 * The person with the waiver's line, and with the shared name if they have none; without the line if they do not hold
 * its place; `undefined` if nothing changes. All other fields are sent back unchanged: Bookeo does not document whether a
 * change may omit fields.
 */
function changedPerson(
  person: JsonObject,
  waiverField: string,
  waiver: Waiver,
  isHolder: boolean,
): JsonObject | undefined {
  const customFields = withWaiver(person, waiverField, waiver, isHolder);
  if (customFields === undefined) return undefined;
  const writable = Object.entries(person).filter(([name, value]) => !readOnly.test(name) && value !== null);
  const names = isNameless(person) && isHolder && !waiver.deleted ? namesOf(waiver) : {};
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

/** Whether an old line of the waiver, which names no booking, may be of another one: a void leaves it where it is. */
export const hasUnclearLines = (booking: JsonObject, waiverField: string, waiver: Waiver): boolean =>
  [...changeablePeople(booking).values()].some((person) => hasUnclearLine(person, waiverField, waiver));

/** A person as sent to Bookeo, with or without the waiver's line. */
interface WrittenPerson {
  readonly body: JsonObject;
  readonly isHolder: boolean;
  readonly hasLine: boolean;
}

/** The people who were changed, by their address. */
export type WrittenPeople = ReadonlyMap<string, WrittenPerson>;

/**
 * Writes the waiver's line to the person at `holderAddress`, and removes it from everyone else in the booking, since the
 * place may have changed hands.
 */
export async function updatePeople(
  { http, account: { waiverField } }: Context,
  booking: JsonObject,
  holderAddress: string | undefined,
  waiver: Waiver,
): Promise<WrittenPeople> {
  const written = new Map<string, WrittenPerson>();
  for (const [address, person] of changeablePeople(booking)) {
    const isHolder = address === holderAddress;
    const body = changedPerson(person, waiverField, waiver, isHolder);
    if (body === undefined) continue;
    const response = await http.put(address, body);
    const system = `Bookeo (custom field ${quoted(waiverField)})`;
    raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));
    written.set(address, { body, isHolder, hasLine: isHolder && !waiver.deleted });
  }
  return written;
}

/** The parts of {@link updatePeople} that Bookeo did not store. */
export interface Losses {
  /** The person who should have the line does not show it, or is not shown. */
  readonly isLineLost: boolean;
  /** A person still shows a removed line, or is not shown. */
  readonly isLineLeft: boolean;
  /** The names of the other fields that the people do not show as sent. */
  readonly fields: readonly string[];
}

/** Compares the booking after {@link updatePeople} with what was written. */
export function findLosses(
  bookingAfter: JsonObject,
  waiverField: string,
  waiver: Waiver,
  written: WrittenPeople,
): Losses {
  const people = changeablePeople(bookingAfter);
  const wrong = [...written].filter(([address, { isHolder }]) => {
    const person = people.get(address);
    return person === undefined || withWaiver(person, waiverField, waiver, isHolder) !== undefined;
  });
  const fields = [...written].flatMap(([address, { body }]) => {
    const person = people.get(address);
    return person === undefined ? [] : lostFields(body, person, waiverField, waiver);
  });
  return {
    isLineLost: wrong.some(([, { hasLine }]) => hasLine),
    isLineLeft: wrong.some(([, { hasLine }]) => !hasLine),
    fields: [...new Set(fields)],
  };
}
