import { readDateTime } from '@waiver-service/core';
import { dateTimeRefusal, optionalText } from './fields.ts';
import { quoted } from './json.ts';
import { isTimeZone, readLocalDateTime } from './local-date-time.ts';
import type { Reading } from './reading.ts';

/** Reads an optional text, trimmed. `null` and `""`, which vendors send for empty fields, count as absent. No warning. */
export function nonEmptyText(reading: Reading, value: unknown, path: string): string | undefined {
  if (value === null) return undefined;
  const text = optionalText(reading, value, path)?.trim();
  return text === '' ? undefined : text;
}

/**
 * Reads an optional date-time as vendors write it: with any offset, or as local time if `timeZone` (IANA) is known.
 * Refuses a text that is not a date-time, and a local time in an unknown zone. For a local time that occurs twice
 * because clocks go back, takes the earlier one, with a warning. An implausible year counts as absent, with a warning:
 * some vendors write 0001 or 9999 for "none".
 */
export function vendorDateTime(
  reading: Reading,
  value: unknown,
  path: string,
  timeZone = '',
): string | undefined {
  const text = nonEmptyText(reading, value, path);
  if (text === undefined) return undefined;
  const found = readDateTime(text);
  if (found.kind === 'utc') return found.value;
  const local = isTimeZone(timeZone) ? readLocalDateTime(text, timeZone) : undefined;
  if (local?.isRepeated) {
    const message = `${path} is ${quoted(text)}, which clocks in ${timeZone} show twice that day: the earlier time was taken`;
    reading.warn('date_time_rewritten', path, message);
  }
  if (local !== undefined) return local.utc;
  if (found.kind === 'out-of-range') {
    reading.warn('value_ignored', path, `${path} ${dateTimeRefusal(text, found.kind)}; it was ignored`);
  } else if (found.kind === 'without-zone') {
    reading.refuse(path, `is ${quoted(text)}, which has no time zone, and the account’s is not known`);
  } else reading.refuse(path, dateTimeRefusal(text, found.kind));
  return undefined;
}
