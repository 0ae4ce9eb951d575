import {
  type BookedSession,
  type Booking,
  type Contact,
  type FetchedBooking,
  type Guest,
  InvalidBookingResponse,
  statusGroups,
} from '@waiver-service/core';
import {
  contractDateTime,
  optionalContractDateTime,
  optionalText,
  requiredCount,
  requiredText,
} from './fields.ts';
import {
  expectObject,
  isJsonObject,
  isPresent,
  isTooDeep,
  type JsonObject,
  kindOf,
  quoted,
  warningsOfLostCharacters,
} from './json.ts';
import { Reading } from './reading.ts';

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
function assembleBooking(
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

function readSession(reading: Reading, value: unknown, index: number): BookedSession {
  const path = `bookedSessions[${index}]`;
  if (!isJsonObject(value)) {
    reading.refuse(path, `is ${kindOf(value)} where an object must be`);
    return { startsAt: '' };
  }
  const { startsAt, endsAt, activityId, activityName, ...others } = value;
  const read = {
    endsAt: optionalContractDateTime(reading, endsAt, `${path}.endsAt`),
    activityId: optionalText(reading, activityId, `${path}.activityId`),
    activityName: optionalText(reading, activityName, `${path}.activityName`),
  };
  for (const [name, field] of Object.entries(read)) {
    if (field === undefined) reading.warn('session_incomplete', `${path}.${name}`, `${path} has no ${name}`);
  }
  return {
    startsAt: contractDateTime(reading, startsAt, `${path}.startsAt`),
    ...(read.endsAt === undefined ? {} : { endsAt: read.endsAt }),
    ...(read.activityId === undefined ? {} : { activityId: read.activityId }),
    ...(read.activityName === undefined ? {} : { activityName: read.activityName }),
    ...others,
  };
}

function readCurrentSessions(reading: Reading, value: unknown): BookedSession[] {
  if (!Array.isArray(value) || value.length === 0) {
    const found = Array.isArray(value) ? 'an empty list' : kindOf(value);
    reading.refuse('bookedSessions', `is ${found}: a booking has at least one session`);
    return [];
  }
  return value.map((session: unknown, index) => readSession(reading, session, index));
}

function warnOfBothForms(reading: Reading, body: JsonObject): void {
  if (!isPresent(body.activities) && !isPresent(body.startsAt)) return;
  const legacy = ['activities', 'startsAt'].filter((name) => isPresent(body[name]));
  reading.warn(
    'both_forms',
    'bookedSessions',
    `the answer has bookedSessions (current form) and ${legacy.join(' and ')} (legacy form): the current form counts`,
  );
}

/**
 * Reads a booking in the contract's current form (2.1); each tolerated deviation is a warning. Unknown fields are kept.
 * Throws InvalidBookingResponse, which names each invalid field.
 */
export function readCurrentBooking(body: unknown): FetchedBooking {
  const answer = expectObject(body);
  const reading = new Reading();
  warnOfBothForms(reading, answer);
  const bookedSessions = readCurrentSessions(reading, answer.bookedSessions);
  const booking = assembleBooking(reading, answer, bookedSessions);
  reading.throwIfRefused();
  return { form: 'current', booking, warnings: reading.warnings };
}

/** The legacy form has one pair of times for the whole booking. */
type Times = Pick<BookedSession, 'startsAt' | 'endsAt'>;

function readTimes(reading: Reading, start: unknown, end: unknown): Times {
  const startsAt = contractDateTime(reading, start, 'startsAt');
  const endsAt = optionalContractDateTime(reading, end, 'endsAt');
  if (endsAt !== undefined) return { startsAt, endsAt };
  reading.warn('session_incomplete', 'endsAt', 'the booking has no endsAt');
  return { startsAt };
}

/** Reads an activity into a session. */
function readActivity(reading: Reading, value: unknown, index: number, times: Times): BookedSession {
  const path = `activities[${index}]`;
  if (!isJsonObject(value)) {
    reading.refuse(path, `is ${kindOf(value)} where an object must be`);
    return times;
  }
  const { activity, activityId, startsAt, endsAt, activityName: otherName, ...others } = value;
  for (const [name, ignored] of Object.entries({ startsAt, endsAt, activityName: otherName })) {
    if (ignored === undefined) continue;
    reading.warn(
      'value_ignored',
      `${path}.${name}`,
      `${path}.${name} is no field of the legacy form; ignored`,
    );
  }
  const activityName = optionalText(reading, activity, `${path}.activity`);
  const activityIdText = optionalText(reading, activityId, `${path}.activityId`);
  for (const [name, field] of Object.entries({ activity: activityName, activityId: activityIdText })) {
    if (field === undefined) reading.warn('session_incomplete', `${path}.${name}`, `${path} has no ${name}`);
  }
  return {
    ...times,
    ...(activityIdText === undefined ? {} : { activityId: activityIdText }),
    ...(activityName === undefined ? {} : { activityName }),
    ...others,
  };
}

function readLegacySessions(reading: Reading, activities: unknown, times: Times): BookedSession[] {
  if (activities === null) {
    reading.warn('null_as_absent', 'activities', 'activities came as null and was read as absent');
  } else if (activities !== undefined && !Array.isArray(activities)) {
    reading.refuse('activities', `is ${kindOf(activities)} where a list must be`);
  }
  const list: unknown[] = Array.isArray(activities) ? activities : [];
  if (list.length > 0) {
    return list.map((activity, index) => readActivity(reading, activity, index, times));
  }
  reading.warn(
    'session_incomplete',
    'activities',
    'the booking names no activity: its session has the times only',
  );
  return [times];
}

/**
 * Reads a booking in the contract's legacy form (9) and converts it to the current one: one session per activity, each at
 * the booking's times; without activities, one session with times only. Throws InvalidBookingResponse.
 */
export function readLegacyBooking(body: unknown): FetchedBooking {
  const { startsAt, endsAt, activities, bookedSessions: none, ...shared } = expectObject(body);
  const reading = new Reading();
  if (none === null) {
    reading.warn('null_as_absent', 'bookedSessions', 'bookedSessions came as null and was read as absent');
  }
  const sessions = readLegacySessions(reading, activities, readTimes(reading, startsAt, endsAt));
  if (isTooDeep(activities)) reading.refuse('activities', 'is nested too deeply');
  const booking = assembleBooking(reading, shared, sessions);
  reading.throwIfRefused();
  return { form: 'legacy', booking, warnings: reading.warnings };
}

/** Detects which of the contract's forms a body has; `undefined` for neither. */
export function detectForm(body: unknown): 'current' | 'legacy' | undefined {
  if (!isJsonObject(body)) return undefined;
  if (isPresent(body.bookedSessions)) return 'current';
  return isPresent(body.activities) || isPresent(body.startsAt) ? 'legacy' : undefined;
}

function neitherForm(body: JsonObject): InvalidBookingResponse {
  const names = Object.keys(body);
  const listed = names
    .slice(0, 20)
    .map((name) => `${quoted(name)}${body[name] === null ? ' (null)' : ''}`)
    .join(', ');
  const found = names.length === 0 ? 'no fields at all' : names.length > 20 ? `${listed}, …` : listed;
  return new InvalidBookingResponse(
    'the answer is not a booking: it has neither bookedSessions (current form) nor activities or startsAt ' +
      `(legacy form); what it has is ${found}`,
  );
}

/** Reads a booking in either of the contract's two forms. Throws InvalidBookingResponse. */
export function readBooking(body: unknown): FetchedBooking {
  const answer = expectObject(body);
  const form = detectForm(answer);
  if (form === undefined) throw neitherForm(answer);
  const fetched = form === 'current' ? readCurrentBooking(answer) : readLegacyBooking(answer);
  const lost = warningsOfLostCharacters(fetched.booking);
  return lost.length === 0 ? fetched : { ...fetched, warnings: [...fetched.warnings, ...lost] };
}
