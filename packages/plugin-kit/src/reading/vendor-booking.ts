import type { BookedSession, Contact } from '@waiver-service/core';
import type { Reading } from './reading.ts';
import { filledFields, textOf } from './vendor-text.ts';

/** A contact from where a vendor keeps its fields. Without a name it has an empty one, and a warning. */
export function vendorContact(
  reading: Reading,
  fields: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>,
  path: string,
): Contact {
  const name = textOf(fields.name);
  if (name === undefined) reading.warn('contact_incomplete', path, `${path} has no name`);
  const reach = { email: textOf(fields.email), phoneNumber: textOf(fields.phoneNumber) };
  return { name: name ?? '', ...filledFields(reach) };
}

/**
 * A session from where a vendor keeps its fields; the times are UTC already. What is missing is a warning, but for the
 * start: without one there is no session, and the booking is refused.
 */
export function vendorSession(
  reading: Reading,
  fields: Readonly<
    Record<'startsAt' | 'endsAt', string | undefined> & Record<'activityId' | 'activityName', unknown>
  >,
  path: string,
): BookedSession {
  const { startsAt, endsAt } = fields;
  if (startsAt === undefined) reading.refuse(path, 'has no start that is a date-time with a time zone');
  const others = { endsAt, activityId: textOf(fields.activityId), activityName: textOf(fields.activityName) };
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) reading.warn('session_incomplete', path, `${path} gives no ${name}`);
  }
  return { startsAt: startsAt ?? '', ...filledFields(others) };
}
