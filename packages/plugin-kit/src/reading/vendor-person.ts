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

/** Whether a person says nothing that the booker does not, as forms do that copy one contact to every guest. */
export const isCopyOf = (person: Person, booker: Person): boolean =>
  isSaidBy(person.name, booker.name) &&
  isSaidBy(person.email, booker.email) &&
  isSaidBy(person.phoneNumber, booker.phoneNumber);
