import type { Waiver } from '@waiver-service/core';
import { answerForField, definedFields, type JsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import { personOf } from '../read/guests.ts';

/** The shared answers for a contact, by OCTO's field names. */
export type SharedContact = Readonly<Record<string, string>>;

export function sharedContact(waiver: Waiver): SharedContact {
  return definedFields({
    fullName: answerForField(waiver, 'name'),
    emailAddress: answerForField(waiver, 'email'),
    phoneNumber: answerForField(waiver, 'phoneNumber'),
  });
}

const textFields = ['fullName', 'firstName', 'lastName', 'emailAddress', 'phoneNumber'];

const withFullName = (contact: unknown): JsonObject => ({
  ...objectOf(contact),
  fullName: personOf(contact).name,
});

/**
 * The names of the wanted fields that a contact lacks, or that differ. `null` equals an empty text, and a full name
 * equals the same name split into first and last name.
 */
export function differences(contact: unknown, wanted: JsonObject): string[] {
  const actual = withFullName(contact);
  const expected = withFullName(wanted);
  return textFields.filter((name) => name in wanted && textOf(actual[name]) !== textOf(expected[name]));
}

/** A guest's contact, updated with the shared answers; `undefined` if it already has all of them. */
export function newContact(contact: unknown, shared: SharedContact): JsonObject | undefined {
  const changed = differences(contact, shared);
  if (changed.length === 0) return undefined;
  // The old first and last name would contradict the new full name.
  const formerNames = changed.includes('fullName') ? { firstName: null, lastName: null } : {};
  const answers = Object.fromEntries(changed.map((name) => [name, shared[name]]));
  return { ...objectOf(contact), ...formerNames, ...answers };
}
