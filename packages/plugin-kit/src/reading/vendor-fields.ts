import { readDateTime } from '@waiver-service/core';
import { dateTimeRefusal, optionalText } from './fields.ts';
import { quoted } from './json.ts';
import { isTimeZone, utcOfLocalDateTime } from './local-date-time.ts';
import type { Reading } from './reading.ts';

/** A text that says something. Vendors write "nothing" as `null`, as `""`, or leave it out: none of it is a warning. */
export function filledText(reading: Reading, value: unknown, path: string): string | undefined {
  if (value === null) return undefined;
  const text = optionalText(reading, value, path)?.trim();
  return text === '' ? undefined : text;
}

/**
 * Reads a date-time as vendors write it: with any offset, or without one where the time zone is known (IANA). What is no
 * date-time, and one whose zone nobody knows, is refused. `undefined` where there is nothing, and, with a warning, where
 * the year cannot be meant: vendors write 0001 or 9999 for "none".
 */
export function vendorDateTime(
  reading: Reading,
  value: unknown,
  path: string,
  timeZone = '',
): string | undefined {
  const text = filledText(reading, value, path);
  if (text === undefined) return undefined;
  const found = readDateTime(text);
  if (found.kind === 'utc') return found.value;
  const local = isTimeZone(timeZone) ? utcOfLocalDateTime(text, timeZone) : undefined;
  if (local !== undefined) return local;
  if (found.kind === 'out-of-range') {
    reading.warn('value_ignored', path, `${path} ${dateTimeRefusal(text, found.kind)}; it was ignored`);
  } else if (found.kind === 'without-zone') {
    reading.refuse(path, `is ${quoted(text)}, which has no time zone, and the account’s is not known`);
  } else reading.refuse(path, dateTimeRefusal(text, found.kind));
  return undefined;
}
