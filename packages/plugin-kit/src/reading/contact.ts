import type { Contact } from '@waiver-service/core';
import { isExactContact } from './exact-parts.ts';
import { optionalText, requiredText } from './fields.ts';
import { isJsonObject, type JsonObject, kindOf } from './json.ts';
import type { Reading } from './reading.ts';

/** Reads a contact that may deviate from the contract. */
export function readContactTolerantly(reading: Reading, value: JsonObject, path: string): Contact {
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

/** Reads the contact of a booking (contract 2.2). */
export function readContact(reading: Reading, value: unknown, path: string): Contact {
  if (isJsonObject(value)) {
    return isExactContact(value) ? value : readContactTolerantly(reading, value, path);
  }
  reading.refuse(path, value === undefined ? 'is missing' : `is ${kindOf(value)} where an object must be`);
  return { name: '' };
}
