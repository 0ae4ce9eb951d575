import { type Booking, statusGroups } from '@waiver-service/core';
import { readContact } from './contact.ts';
import { hasExactFields } from './exact-parts.ts';
import { optionalText, requiredCount, requiredText } from './fields.ts';
import { readGuests } from './guests.ts';
import { isTooDeep, type JsonObject } from './json.ts';
import type { Reading } from './reading.ts';

// `statusGroup` is our own field: a partner's field of that name is kept only if its value is one of ours.
function readStatusGroup(reading: Reading, value: unknown): Pick<Booking, 'statusGroup'> {
  const statusGroup = statusGroups.find((group) => group === value);
  if (statusGroup) return { statusGroup };
  if (value !== undefined) {
    reading.warn('value_ignored', 'statusGroup', `statusGroup is none of ${statusGroups.join(', ')}`);
  }
  return {};
}

/** Assembles a booking whose fields may deviate from the contract. */
export function assembleTolerantly(
  reading: Reading,
  body: JsonObject,
  bookedSessions: Booking['bookedSessions'],
): Booking {
  const { id, status, contact, pax, guests, notes, statusGroup, ...others } = body;
  const idText = requiredText(reading, id, 'id');
  if (id === '') reading.refuse('id', 'is empty');
  const notesText = optionalText(reading, notes, 'notes');
  return {
    ...others,
    id: idText,
    status: requiredText(reading, status, 'status'),
    ...readStatusGroup(reading, statusGroup),
    contact: readContact(reading, contact, 'contact'),
    pax: requiredCount(reading, pax, 'pax'),
    guests: readGuests(reading, guests),
    bookedSessions,
    ...(notesText === undefined ? {} : { notes: notesText }),
  };
}

/** Reads the fields that both forms share (contract 2.1, 9) and adds the sessions. Unknown fields are kept. */
export function assembleBooking(
  reading: Reading,
  body: JsonObject,
  bookedSessions: Booking['bookedSessions'],
): Booking {
  for (const name in body) if (isTooDeep(body[name])) reading.refuse(name, 'is nested too deeply');
  if (!hasExactFields(body)) return assembleTolerantly(reading, body, bookedSessions);
  const contact = readContact(reading, body.contact, 'contact');
  return { ...body, contact, guests: readGuests(reading, body.guests), bookedSessions };
}
