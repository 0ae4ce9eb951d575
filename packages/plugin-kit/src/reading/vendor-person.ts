import { textOf } from './vendor-text.ts';

/** A guest or booker in a vendor's booking. */
export interface Person {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
}

type PersonFields = 'fullName' | 'firstName' | 'lastName' | 'email' | 'phoneNumber';

/** Creates a person from a vendor's fields. The name is the full name, or else first and last name. */
export function vendorPerson(fields: Readonly<Partial<Record<PersonFields, unknown>>>): Person {
  const names = [textOf(fields.firstName), textOf(fields.lastName)].filter((name) => name !== undefined);
  return {
    name: textOf(fields.fullName) ?? textOf(names.join(' ')),
    email: textOf(fields.email),
    phoneNumber: textOf(fields.phoneNumber),
  };
}

/** `adult`, `child`, or the vendor's own word for another type of participant. */
export function participantTypeOf(word: string | undefined): string | undefined {
  if (word !== undefined && /^adults?$/i.test(word)) return 'adult';
  return word !== undefined && /^child(ren)?$/i.test(word) ? 'child' : word;
}

const isAbsentOrEqual = (one: string | undefined, other: string | undefined) =>
  one === undefined || one === other;

/** Whether a person has only the booker's data, which some booking forms copy to every guest. */
export const isCopyOf = (person: Person, booker: Person): boolean =>
  isAbsentOrEqual(person.name, booker.name) &&
  isAbsentOrEqual(person.email, booker.email) &&
  isAbsentOrEqual(person.phoneNumber, booker.phoneNumber);
