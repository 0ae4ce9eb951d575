import { z } from 'zod';

// ISO 8601; zone: Z, +02:00, +0200, +02 or none. Seconds and their fraction are optional.
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

// Years outside this range are placeholders such as `0001-01-01T00:00:00`; converted to UTC, some of them no longer
// have a four-digit year.
const minYear = 1900;
const maxYear = 2199;

const isPlausibleYear = (year: number) => year >= minYear && year <= maxYear;

/** The result of {@link readDateTime}. */
export type DateTimeReading =
  | { readonly kind: 'utc'; readonly value: string }
  | { readonly kind: 'without-zone' }
  | { readonly kind: 'out-of-range' }
  | { readonly kind: 'not-a-date-time' };

function normalizeOffset(zone: string): string {
  if (zone === 'Z' || zone === 'z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

// `Date` rolls 30 February over into March.
const isRealDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice('yyyy-mm-'.length));

/** Reads an ISO 8601 date-time as partners write it. `value` is UTC with `Z`; zero milliseconds are omitted. */
export function readDateTime(text: string): DateTimeReading {
  const match = dateTimePattern.exec(text.trim());
  if (!match) return { kind: 'not-a-date-time' };
  const [, day = '', minutes = '', seconds = '', fraction, zone] = match;
  if (!isRealDay(day)) return { kind: 'not-a-date-time' };
  if (!isPlausibleYear(Number(day.slice(0, 4)))) return { kind: 'out-of-range' };
  if (zone === undefined) return { kind: 'without-zone' };
  const time = new Date(
    `${day}T${minutes}${seconds}${fraction ? `.${fraction}` : ''}${normalizeOffset(zone)}`,
  );
  if (Number.isNaN(time.getTime())) return { kind: 'not-a-date-time' };
  if (!isPlausibleYear(time.getUTCFullYear())) return { kind: 'out-of-range' };
  return { kind: 'utc', value: time.toISOString().replace('.000Z', 'Z') };
}

/** A date-time in UTC, ISO 8601, ending in `Z` (contract 2.3, 2.5). */
export const utcDateTimeSchema = z.iso
  .datetime({ error: 'a date-time in UTC, ISO 8601, such as 2026-05-01T09:30:00Z' })
  .refine((text) => isPlausibleYear(Number(text.slice(0, 4))), 'a date-time from the year 1900 to 2199');

/** A date-time with any zone; parses to UTC, ISO 8601, with milliseconds and `Z`. */
export const zonedDateTimeSchema = z.iso
  .datetime({ offset: true, error: 'a date-time with a time zone, ISO 8601, such as 2026-05-01T09:30:00Z' })
  .transform((text) => new Date(text).toISOString());
