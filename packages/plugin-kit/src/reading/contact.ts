import type { Contact } from '@waiver-service/core';
import { optionalText, requiredText } from './fields.ts';
import { isJsonObject, kindOf } from './json.ts';
import type { Reading } from './reading.ts';

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';

const isExactContact = (value: Readonly<Record<string, unknown>>): value is Contact =>
  typeof value.name === 'string' &&
  value.name.trim() !== '' &&
  isTextOrAbsent(value.email) &&
  isTextOrAbsent(value.phoneNumber);

/** Reads the contact of a booking (contract 2.2). */
export function readContact(reading: Reading, value: unknown, path: string): Contact {
  if (!isJsonObject(value)) {
    reading.refuse(path, value === undefined ? 'is missing' : `is ${kindOf(value)} where an object must be`);
    return { name: '' };
  }
  if (isExactContact(value)) return value;
  const { name, email, phoneNumber, ...others } = value;
  const nameText = requiredText(reading, name, `${path}.name`);
  if (name !== undefined && nameText.trim() === '') {
    reading.warn('contact_incomplete', `${path}.name`, 'the contact has an empty name');
  }
  const emailText = optionalText(reading, email, `${path}.email`);
  const phoneText = optionalText(reading, phoneNumber, `${path}.phoneNumber`);
  return {
    ...others,
    name: nameText,
    ...(emailText === undefined ? {} : { email: emailText }),
    ...(phoneText === undefined ? {} : { phoneNumber: phoneText }),
  };
}
