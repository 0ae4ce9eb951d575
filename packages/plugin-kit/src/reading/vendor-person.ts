import type { Guest } from '@waiver-service/core';
import type { Reading } from './reading.ts';
import { textOf } from './vendor-text.ts';

/** What a vendor says of a person. */
export interface Person {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
}

type PersonFields = 'fullName' | 'firstName' | 'lastName' | 'email' | 'phoneNumber';

/** A person from where a vendor keeps the fields. The name is the full one, else the first and the last. */
export function vendorPerson(fields: Readonly<Partial<Record<PersonFields, unknown>>>): Person {
  const names = [textOf(fields.firstName), textOf(fields.lastName)].filter((name) => name !== undefined);
  return {
    name: textOf(fields.fullName) ?? textOf(names.join(' ')),
    email: textOf(fields.email),
    phoneNumber: textOf(fields.phoneNumber),
  };
}

const isSaidBy = (one: string | undefined, other: string | undefined) => one === undefined || one === other;

/** A guest's person; nobody where it only repeats the booker, as forms do that copy one contact to every guest. */
export function unlessBooker(person: Person, booker: Person): Partial<Person> {
  const isCopy =
    isSaidBy(person.name, booker.name) &&
    isSaidBy(person.email, booker.email) &&
    isSaidBy(person.phoneNumber, booker.phoneNumber);
  return isCopy ? {} : person;
}

/** A guest, with a warning where no name is known. */
export function vendorGuest(reading: Reading, guest: Guest, path: string): Guest {
  if (guest.name === undefined)
    reading.warn('guest_without_name', path, `${path} has no name of the guest’s own`);
  return guest;
}
