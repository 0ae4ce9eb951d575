import { BookingHasOtherId, type Waiver, waiverFieldNames } from '@waiver-service/core';
import { quoted } from '../reading/json.ts';
import type { Reading } from '../reading/reading.ts';
import { textOf } from '../reading/vendor-fields.ts';

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

/**
 * Finds the booking's guest whom a waiver names. If the booking no longer has that guest, adds a warning: the waiver is
 * then written only to the booking's note.
 */
export function findGuest<T extends { readonly id: string | undefined }>(
  reading: Reading,
  guests: readonly T[],
  { bookingGuestId }: Waiver,
): T | undefined {
  if (bookingGuestId === undefined) return undefined;
  const guest = guests.find(({ id }) => id === bookingGuestId);
  if (guest !== undefined) return guest;
  const message = `the booking has no guest ${quoted(bookingGuestId)} any more: only its note mentions the waiver`;
  reading.warn('waiver_partly_written', 'bookingGuestId', message);
  return undefined;
}

/**
 * For `pushWaiver` of a plugin with `capabilities.aliases` that reads a booking before it writes to it: the waiver must
 * name the booking's own id, or two waivers of one booking could be written at once.
 *
 * @throws BookingHasOtherId
 */
export function requireOwnId(waiver: { readonly bookingId: string }, ownId: string): void {
  if (waiver.bookingId === ownId) return;
  const message = `booking ${quoted(waiver.bookingId)} is ${quoted(ownId)}: the waiver is written when no other one of that booking is`;
  throw new BookingHasOtherId(message, { bookingId: ownId });
}

/** A field of a vendor's form. */
export interface FormField {
  readonly id: unknown;
  readonly label: string;
  readonly isRequired: boolean;
}

/** The result of {@link fillFields}. */
export interface FilledForm {
  readonly values: readonly { readonly id: unknown; readonly value: string }[];
  /** The labels of required fields without an answer. */
  readonly missing: readonly string[];
}

/** Fills a vendor's form with a waiver's shared answers. */
export function fillFields(waiver: Waiver, fields: readonly FormField[]): FilledForm {
  const answered = fields.map((field) => ({ ...field, value: answerForField(waiver, field.label) }));
  return {
    values: answered.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }])),
    missing: answered.flatMap(({ label, isRequired, value }) =>
      isRequired && value === undefined ? [label] : [],
    ),
  };
}
