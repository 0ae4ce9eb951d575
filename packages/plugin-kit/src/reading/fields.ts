import { type DateTimeReading, readDateTime } from '@waiver-service/core';
import { kindOf, quoted } from './json.ts';
import type { Reading } from './reading.ts';

/** The issue to report for a text that is not an acceptable date-time. */
export function dateTimeRefusal(text: string, kind: Exclude<DateTimeReading['kind'], 'utc'>): string {
  const reasons = {
    'without-zone': 'which has no time zone: send UTC with Z',
    'out-of-range': 'which is not from the year 1900 to 2199',
    'not-a-date-time': 'which is not an ISO 8601 date-time',
  };
  return `is ${quoted(text)}, ${reasons[kind]}`;
}

function textOfNumber(reading: Reading, value: number, path: string): string | undefined {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    reading.refuse(path, 'is a number too large for JSON: digits were lost on the way, send it as a text');
    return undefined;
  }
  reading.warn('number_as_string', path, `${path} came as the number ${value} and was read as a text`);
  return String(value);
}

/** Reads a required text. Accepts a number, with a warning. */
export function requiredText(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return textOfNumber(reading, value, path) ?? '';
  reading.refuse(path, value === undefined ? 'is missing' : `is ${kindOf(value)} where a text must be`);
  return '';
}

/** Reads an optional text. `null` counts as absent, a number is converted, anything else is ignored, with a warning. */
export function optionalText(reading: Reading, value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || value === undefined) return value;
  if (typeof value === 'number') return textOfNumber(reading, value, path);
  if (value === null) {
    reading.warn('null_as_absent', path, `${path} came as null and was read as absent`);
    return undefined;
  }
  reading.warn('value_ignored', path, `${path} is ${kindOf(value)} where a text belongs; it was ignored`);
  return undefined;
}

/** Reads a required count. Accepts a text of digits, with a warning. */
export function requiredCount(reading: Reading, value: unknown, path: string): number {
  const isDigits = typeof value === 'string' && /^\s*\d+\s*$/.test(value);
  const count = isDigits ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    const found =
      typeof value === 'string' ? quoted(value) : typeof value === 'number' ? value : kindOf(value);
    reading.refuse(path, value === undefined ? 'is missing' : `is ${found} where a whole number must be`);
    return 0;
  }
  if (isDigits) {
    reading.warn('string_as_number', path, `${path} came as a text and was read as the number ${count}`);
  }
  return count;
}

// The years that `readDateTime` accepts. Only whether a year has a February 29 remains to be checked.
const exactUtc =
  /^(?:19|20|21)\d\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** UTC, ISO 8601, with seconds and `Z`: what is read unchanged. */
function isExactDateTime(value: unknown): value is string {
  if (typeof value !== 'string' || !exactUtc.test(value)) return false;
  return !value.startsWith('02-29', 5) || readDateTime(value).kind === 'utc';
}

/** Reads a required date-time. Another time zone is converted to UTC, with a warning; a missing one is refused. */
export function contractDateTime(reading: Reading, value: unknown, path: string): string {
  if (isExactDateTime(value)) return value;
  if (typeof value !== 'string') {
    reading.refuse(
      path,
      value === undefined ? 'is missing' : `is ${kindOf(value)} where a date-time must be`,
    );
    return '';
  }
  const found = readDateTime(value);
  if (found.kind === 'utc') {
    reading.warn(
      'date_time_rewritten',
      path,
      `${path} came as ${quoted(value)} and was read as ${found.value}`,
    );
    return found.value;
  }
  reading.refuse(path, dateTimeRefusal(value, found.kind));
  return '';
}

/** Reads an optional date-time. `null` counts as absent, an implausible year is ignored, with a warning. */
export function optionalContractDateTime(reading: Reading, value: unknown, path: string): string | undefined {
  if (value === undefined || isExactDateTime(value)) return value;
  if (typeof value === 'string' && readDateTime(value).kind === 'out-of-range') {
    reading.warn('value_ignored', path, `${path} ${dateTimeRefusal(value, 'out-of-range')}; it was ignored`);
    return undefined;
  }
  if (value !== null) return contractDateTime(reading, value, path);
  reading.warn('null_as_absent', path, `${path} came as null and was read as absent`);
  return undefined;
}
