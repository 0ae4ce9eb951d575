import type { Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { personOf } from '../native/guests.ts';

/** What is shared of a waiver, under the names of OCTO's contact. */
export function sharedContact(waiver: Waiver): Readonly<Record<string, string>> {
  const [fullName, emailAddress, phoneNumber] = ['name', 'email', 'phoneNumber'].map((name) =>
    kit.answerForField(waiver, name),
  );
  return kit.definedFields({ fullName, emailAddress, phoneNumber });
}

const textFields = ['fullName', 'firstName', 'lastName', 'emailAddress', 'phoneNumber'];

/**
 * The names of the text fields in which a contact says something else. A `null` and an empty text say the same, and so
 * do a full name and the same name divided.
 */
export function differences(contact: unknown, wanted: kit.JsonObject): string[] {
  const [said, meant] = [contact, wanted].map((one): kit.JsonObject => {
    const fields = kit.objectOf(one);
    return { ...fields, fullName: personOf(fields).name };
  });
  return textFields.filter(
    (name) => name in wanted && kit.textOf(said?.[name]) !== kit.textOf(meant?.[name]),
  );
}

/** A guest's contact with what is shared; `undefined` where it says all of that already. */
export function newContact(
  contact: unknown,
  shared: Readonly<Record<string, string>>,
): kit.JsonObject | undefined {
  const changed = differences(contact, shared);
  if (changed.length === 0) return undefined;
  // A first and last name beside another full name would be somebody else's.
  const names = changed.includes('fullName') ? { firstName: null, lastName: null } : {};
  const written = Object.fromEntries(changed.map((name) => [name, shared[name]]));
  return { ...kit.objectOf(contact), ...names, ...written };
}
