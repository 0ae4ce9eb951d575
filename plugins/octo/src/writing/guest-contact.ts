import type { Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { personOf } from '../native/guests.ts';

/** The shared answers that belong in a contact, by OCTO's field names. */
export function sharedContact(waiver: Waiver): Readonly<Record<string, string>> {
  return kit.definedFields({
    fullName: kit.answerForField(waiver, 'name'),
    emailAddress: kit.answerForField(waiver, 'email'),
    phoneNumber: kit.answerForField(waiver, 'phoneNumber'),
  });
}

const textFields = ['fullName', 'firstName', 'lastName', 'emailAddress', 'phoneNumber'];

/**
 * The names of the wanted fields that a contact does not have or that differ. `null` equals an empty text, and a full name
 * equals the same name split into first and last name.
 */
export function differences(contact: unknown, wanted: kit.JsonObject): string[] {
  const withFullName = (value: unknown): kit.JsonObject => {
    const fields = kit.objectOf(value);
    return { ...fields, fullName: personOf(fields).name };
  };
  const actual = withFullName(contact);
  const expected = withFullName(wanted);
  return textFields.filter(
    (name) => name in wanted && kit.textOf(actual[name]) !== kit.textOf(expected[name]),
  );
}

/** A guest's contact with the shared answers; `undefined` if it already has all of them. */
export function newContact(
  contact: unknown,
  shared: Readonly<Record<string, string>>,
): kit.JsonObject | undefined {
  const changed = differences(contact, shared);
  if (changed.length === 0) return undefined;
  // The old first and last name would contradict the new full name.
  const names = changed.includes('fullName') ? { firstName: null, lastName: null } : {};
  const written = Object.fromEntries(changed.map((name) => [name, shared[name]]));
  return { ...kit.objectOf(contact), ...names, ...written };
}
