import { type Booking, type Contact, type Guest, statusGroups } from '@waiver-service/core';
import { optionalText, requiredCount, requiredText } from './fields.ts';
import { isJsonObject, isPresent, isTooDeep, type JsonObject, kindOf } from './json.ts';
import type { Reading } from './reading.ts';

/** Reads the contact of a booking (contract 2.2). */
function readContact(reading: Reading, value: unknown, path: string): Contact {
  if (!isJsonObject(value)) {
    reading.refuse(path, value === undefined ? 'is missing' : `is ${kindOf(value)} where an object must be`);
    return { name: '' };
  }
  const { name, email, phoneNumber, ...others } = value;
  const nameText = requiredText(reading, name, `${path}.name`);
  if (name !== undefined && nameText.trim() === '') {
    reading.warn('contact_incomplete', `${path}.name`, 'the contact has an empty name');
  }
  const emailText = optionalText(reading, email, `${path}.email`);
  const phoneText = optionalText(reading, phoneNumber, `${path}.phoneNumber`);
  return {
    name: nameText,
    ...(emailText === undefined ? {} : { email: emailText }),
    ...(phoneText === undefined ? {} : { phoneNumber: phoneText }),
    ...others,
  };
}

function readGuestId(reading: Reading, guest: JsonObject, path: string): string | undefined {
  const id = optionalText(reading, guest.id, `${path}.id`);
  if (id) return id;
  const legacyId = optionalText(reading, guest.guestId, `${path}.guestId`);
  if (legacyId) return legacyId;
  if (id === '' || legacyId === '') {
    reading.warn('value_ignored', `${path}.${id === '' ? 'id' : 'guestId'}`, 'an empty guest id was ignored');
  }
  return undefined;
}

// A `guestId` equal to `id` is dropped; one that differs is kept as an additional field.
function otherGuestId(reading: Reading, guest: JsonObject, id: string | undefined, path: string): JsonObject {
  const { guestId } = guest;
  if (!isPresent(guestId) || id === undefined || guestId === id) return {};
  if (typeof guestId === 'number' && String(guestId) === id) return {};
  reading.warn('value_ignored', `${path}.guestId`, `${path} has an id and another guestId: the id counts`);
  return { guestId };
}

function readGuest(reading: Reading, value: unknown, index: number): Guest {
  const path = `guests[${index}]`;
  if (!isJsonObject(value)) {
    reading.refuse(path, `is ${kindOf(value)} where an object must be`);
    return {};
  }
  const { id: _id, guestId: _guestId, name, email, phoneNumber, ...others } = value;
  const id = readGuestId(reading, value, path);
  const nameText = optionalText(reading, name, `${path}.name`);
  const isNamed = nameText !== undefined && nameText.trim() !== '';
  const emailText = optionalText(reading, email, `${path}.email`);
  const phoneText = optionalText(reading, phoneNumber, `${path}.phoneNumber`);
  return {
    ...(id === undefined ? {} : { id }),
    ...otherGuestId(reading, value, id, path),
    ...(isNamed ? { name: nameText } : {}),
    ...(emailText === undefined ? {} : { email: emailText }),
    ...(phoneText === undefined ? {} : { phoneNumber: phoneText }),
    ...others,
  };
}

/** Adds a single warning for all guests without a name, since a group of 200 may not have been named yet. */
export function warnOfNamelessGuests(reading: Reading, guests: readonly Guest[], path?: string): void {
  const nameless = guests.filter(({ name }) => name === undefined).length;
  if (nameless === 0) return;
  const message = `${nameless} of ${guests.length} guests have no name`;
  reading.warn('guest_without_name', path, message);
}

/** Reads the guests of a booking (contract 2.4). In either form, a guest's id is `id`, or else `guestId`. */
function readGuests(reading: Reading, value: unknown): Guest[] {
  if (!Array.isArray(value)) {
    reading.refuse(
      'guests',
      value === undefined ? 'is missing: send an empty list' : `is ${kindOf(value)} where a list must be`,
    );
    return [];
  }
  const guests = value.map((guest: unknown, index) => readGuest(reading, guest, index));
  warnOfNamelessGuests(reading, guests, 'guests');
  return guests;
}

// `statusGroup` is our own field: a partner's field of that name is kept only if its value is one of ours.
function readStatusGroup(reading: Reading, value: unknown): Pick<Booking, 'statusGroup'> {
  const statusGroup = statusGroups.find((group) => group === value);
  if (statusGroup) return { statusGroup };
  if (value !== undefined) {
    reading.warn('value_ignored', 'statusGroup', `statusGroup is none of ${statusGroups.join(', ')}`);
  }
  return {};
}

/** Reads the fields that both forms share (contract 2.1, 9) and adds the sessions. Unknown fields are kept. */
export function assembleBooking(
  reading: Reading,
  body: JsonObject,
  bookedSessions: Booking['bookedSessions'],
): Booking {
  for (const name in body) if (isTooDeep(body[name])) reading.refuse(name, 'is nested too deeply');
  const { id, status, contact, pax, guests, bookedSessions: _, notes, statusGroup, ...others } = body;
  const idText = requiredText(reading, id, 'id');
  if (id === '') reading.refuse('id', 'is empty');
  const notesText = optionalText(reading, notes, 'notes');
  return {
    id: idText,
    status: requiredText(reading, status, 'status'),
    ...readStatusGroup(reading, statusGroup),
    contact: readContact(reading, contact, 'contact'),
    pax: requiredCount(reading, pax, 'pax'),
    guests: readGuests(reading, guests),
    bookedSessions,
    ...(notesText === undefined ? {} : { notes: notesText }),
    ...others,
  };
}
