import type { BookedSession, FetchedBooking } from '@waiver-service/core';
import { assembleBooking } from '../reading/assemble-booking.ts';
import { contractDateTime, optionalContractDateTime, optionalText } from '../reading/fields.ts';
import { expectObject, isJsonObject, isTooDeep, kindOf } from '../reading/json.ts';
import { Reading } from '../reading/reading.ts';

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

function readSessions(reading: Reading, activities: unknown, times: Times): BookedSession[] {
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
  const sessions = readSessions(reading, activities, readTimes(reading, startsAt, endsAt));
  if (isTooDeep(activities)) reading.refuse('activities', 'is nested too deeply');
  const booking = assembleBooking(reading, shared, sessions);
  reading.throwIfRefused();
  return { form: 'legacy', booking, warnings: reading.warnings };
}
