import { type BookedSession, type FetchedBooking, InvalidBookingResponse } from '@waiver-service/core';
import { assembleBooking } from './assemble-booking.ts';
import { contractDateTime, optionalContractDateTime, optionalText } from './fields.ts';
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
