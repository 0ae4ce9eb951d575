import { type Waiver, waiverFieldNames } from '@waiver-service/core';

const contractFields: readonly string[] = waiverFieldNames;

/** Answers' names by the labels that vendors use for them. */
const aliases: Readonly<Record<string, string>> = {
  fullname: 'name',
  emailaddress: 'email',
  phone: 'phonenumber',
  mobile: 'phonenumber',
  mobilephone: 'phonenumber',
  birthdate: 'dateofbirth',
  dob: 'dateofbirth',
};

// "First Name", "first_name" and "firstName" are the same name.
const normalize = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The shared answer for a vendor's field, found by the field's label: `Date of Birth` is `dateOfBirth`. `undefined` if
 * there is no such answer, or if it is not a single value.
 */
export function answerForField(waiver: Waiver, label: string): string | undefined {
  const wanted = normalize(label);
  if (wanted === '') return undefined;
  const names = [wanted, aliases[wanted]];
  const found = Object.entries(waiver).find(
    ([name, value]) =>
      !contractFields.includes(name) &&
      names.includes(normalize(name)) &&
      ['string', 'number', 'boolean'].includes(typeof value),
  );
  return found === undefined || found[1] === '' ? undefined : String(found[1]);
}
