import { type Waiver, waiverFieldNames } from '@waiver-service/core';

const contractFields: readonly string[] = waiverFieldNames;

/** What a vendor's label may say where the waiver's answer has another name. */
const otherNames: Readonly<Record<string, string>> = {
  fullname: 'name',
  emailaddress: 'email',
  phone: 'phonenumber',
  mobile: 'phonenumber',
  mobilephone: 'phonenumber',
  birthdate: 'dateofbirth',
  dob: 'dateofbirth',
};

// "First Name", "first_name" and "firstName" are one name.
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The answer that the installation shares for a vendor's field, found by the field's label: `Date of Birth` is
 * `dateOfBirth`. `undefined` where no such answer is shared, or it is no single value.
 */
export function answerForField(waiver: Waiver, label: string): string | undefined {
  const wanted = plain(label);
  if (wanted === '') return undefined;
  const names = [wanted, otherNames[wanted]];
  const found = Object.entries(waiver).find(
    ([name, value]) =>
      !contractFields.includes(name) &&
      names.includes(plain(name)) &&
      ['string', 'number', 'boolean'].includes(typeof value),
  );
  return found === undefined || found[1] === '' ? undefined : String(found[1]);
}
