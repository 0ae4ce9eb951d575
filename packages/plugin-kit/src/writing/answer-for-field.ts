import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import { textOf } from '../reading/vendor-text.ts';

const contractFields: readonly string[] = waiverFieldNames;

/** The names of answers, by vendors' labels. */
const aliases: Readonly<Record<string, string>> = {
  fullname: 'name',
  emailaddress: 'email',
  phone: 'phonenumber',
  mobile: 'phonenumber',
  mobilephone: 'phonenumber',
  birthdate: 'dateofbirth',
  dob: 'dateofbirth',
};

// "First Name", "first_name" and "firstName" are the same name. Marks are part of a word: पता and पिता differ only in
// one. Emoji variation selectors are not, nor is the combining dot that remains when "İ" is lowercased.
const normalize = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]|\p{Variation_Selector}|(?<=i)\u0307/gu, '');

/**
 * The shared answer for a vendor's field, by the field's label: `Date of Birth` is `dateOfBirth`. `undefined` if there
 * is no such answer, or if it is not a single value.
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

/** A waiver's shared name, or else its shared first and last name. */
export function sharedNameOf(waiver: Waiver): string | undefined {
  const parts = [answerForField(waiver, 'firstName'), answerForField(waiver, 'lastName')];
  return (
    textOf(answerForField(waiver, 'name')) ?? textOf(parts.filter((part) => part !== undefined).join(' '))
  );
}
