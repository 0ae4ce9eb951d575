import type { BookedSession, Contact } from '@waiver-service/core';
import type { Reading } from './reading.ts';
import { definedFields, textOf } from './vendor-text.ts';

/** Creates a contact from a vendor's fields. A missing name becomes an empty one, with a warning. */
export function vendorContact(
  reading: Reading,
  fields: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>,
  path: string,
): Contact {
  const name = textOf(fields.name);
  if (name === undefined) reading.warn('contact_incomplete', path, `${path} has no name`);
  return {
    name: name ?? '',
    ...definedFields({ email: textOf(fields.email), phoneNumber: textOf(fields.phoneNumber) }),
  };
}

const isSameMoment = (one = '', other = ''): boolean => Date.parse(one) === Date.parse(other);

/**
 * Creates a session from a vendor's fields, with times already in UTC. Each missing field is a warning, except a
 * missing start, which refuses the booking. An end equal to the start counts as missing: vendors send it for a session
 * whose end they do not know.
 */
export function vendorSession(
  reading: Reading,
  fields: Readonly<
    Record<'startsAt' | 'endsAt', string | undefined> & Record<'activityId' | 'activityName', unknown>
  >,
  path: string,
): BookedSession {
  const { startsAt } = fields;
  const endsAt = isSameMoment(fields.endsAt, startsAt) ? undefined : fields.endsAt;
  if (startsAt === undefined) reading.refuse(path, 'has no start that is a date-time with a time zone');
  const others = { endsAt, activityId: textOf(fields.activityId), activityName: textOf(fields.activityName) };
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) reading.warn('session_incomplete', path, `${path} gives no ${name}`);
  }
  return { startsAt: startsAt ?? '', ...definedFields(others) };
}
