import type { Waiver } from '@waiver-service/core';
import {
  answerForField,
  definedFields,
  isJsonObject,
  type JsonObject,
  normalizeNote,
  objectsIn,
  quoted,
  raiseForStatus,
  textOf,
  vendorMessageIn,
} from '@waiver-service/plugin-kit';
import { customerOf, participantsOf } from '../read.ts';
import type { Context } from '../settings.ts';
import { hasUnclearLine, isWaiverField, textBesides, withWaiver } from './waiver-field.ts';

type Names = { readonly firstName?: string; readonly lastName?: string };

/** Splits a name as Bookeo stores it: the last word is the last name; a single word is a first name. */
function splitName(name: string): Names {
  const words = name.split(/\s+/);
  const lastName = words.length > 1 ? words.pop() : undefined;
  return definedFields({ firstName: textOf(words.join(' ')), lastName });
}

/** The shared name of the guest; a shared first or last name takes precedence over the split full name. */
export function namesOf(waiver: Waiver): Names {
  const firstName = textOf(answerForField(waiver, 'firstName'));
  const lastName = textOf(answerForField(waiver, 'lastName'));
  if (firstName !== undefined || lastName !== undefined) return definedFields({ firstName, lastName });
  return splitName(textOf(answerForField(waiver, 'name')) ?? '');
}

/** Whether a person has no name, for example one created from a waiver before the installation shared names. */
export const isNameless = ({ firstName, lastName }: JsonObject): boolean =>
  textOf(firstName) === undefined && textOf(lastName) === undefined;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** Whether Bookeo stores a value as it was sent. What it adds to an object, or trims off a text, is no loss. */
function isStored(sent: unknown, stored: unknown): boolean {
  if (isEmpty(sent)) return isEmpty(stored);
  if (typeof sent === 'string' && typeof stored === 'string') {
    return normalizeNote(sent) === normalizeNote(stored);
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((one, index) => isStored(one, stored[index]));
  }
  if (isJsonObject(sent) && isJsonObject(stored)) {
    return Object.entries(sent).every(([name, value]) => isStored(value, stored[name]));
  }
  return sent === stored;
}

/** Bookeo identifies a custom field by id or name, and may show only one of them. */
const isSameField = (one: JsonObject, other: JsonObject): boolean =>
  textOf(one.id) !== undefined && textOf(other.id) !== undefined
    ? textOf(one.id) === textOf(other.id)
    : textOf(one.name) !== undefined && textOf(one.name) === textOf(other.name);

function lostCustomFields(sent: JsonObject, stored: JsonObject, waiverField: string): string[] {
  const storedFields = objectsIn(stored.customFields);
  return objectsIn(sent.customFields)
    .filter(
      (field) =>
        !isWaiverField(field, waiverField) &&
        !isStored(field.value, storedFields.find((one) => isSameField(field, one))?.value),
    )
    .map(({ id, name }) => `custom field ${quoted(textOf(name) ?? textOf(id) ?? '')}`);
}

/**
 * The names of the fields that a person lacks after a change, or has otherwise than sent: the change replaces all of the
 * person. Of the waiver field, only the text besides the waiver's own line is compared.
 */
export function lostFields(
  sent: JsonObject,
  stored: JsonObject,
  waiverField: string,
  waiver: Waiver,
): string[] {
  const { customFields: _fields, ...others } = sent;
  const textOfOthers = (person: JsonObject) => textBesides(person, waiverField, waiver);
  return [
    ...Object.keys(others).filter((name) => !isStored(sent[name], stored[name])),
    ...lostCustomFields(sent, stored, waiverField),
    ...(isStored(textOfOthers(sent), textOfOthers(stored))
      ? []
      : [`other text in the custom field ${quoted(waiverField)}`]),
  ];
}

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
    const bookingSystem = `Bookeo (custom field ${quoted(waiverField)})`;
    const vendorMessage = vendorMessageIn(response.data, 'message');
    raiseForStatus(response, { bookingSystem, purpose: 'guest-update', vendorMessage });
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
