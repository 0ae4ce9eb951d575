import type { BookedSession, FetchedBooking } from '@waiver-service/core';
import { assembleBooking } from '../reading/assemble-booking.ts';
import { contractDateTime, optionalContractDateTime, optionalText } from '../reading/fields.ts';
import { expectObject, isJsonObject, isPresent, type JsonObject, kindOf } from '../reading/json.ts';
import { Reading } from '../reading/reading.ts';

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

function readSessions(reading: Reading, value: unknown): BookedSession[] {
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
  const bookedSessions = readSessions(reading, answer.bookedSessions);
  const booking = assembleBooking(reading, answer, bookedSessions);
  reading.throwIfRefused();
  return { form: 'current', booking, warnings: reading.warnings };
}
