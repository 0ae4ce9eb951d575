import { z } from 'zod';

// ISO 8601 with a zone: Z, +02:00, +0200 or +02. Seconds and their fraction may be left out.
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** What {@link readDateTime} found. */
export type DateTimeReading =
  | { readonly kind: 'utc'; readonly value: string; readonly exact: boolean }
  | { readonly kind: 'without-zone' }
  | { readonly kind: 'not-a-date-time' };

function zoneOf(zone: string): string {
  if (zone === 'Z' || zone === 'z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

// `Date` rolls 30 February over into March; a day that does not read back is not a day.
const isRealDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice('yyyy-mm-'.length));

/**
 * Reads an ISO 8601 date-time as partners write it. `value` is UTC with `Z` (milliseconds only where they are
 * not zero); `exact` is false where the text stood in another zone or spelling and had to be rewritten.
 */
export function readDateTime(text: string): DateTimeReading {
  const match = dateTimePattern.exec(text.trim());
  if (!match) return { kind: 'not-a-date-time' };
  const [, day = '', minutes = '', seconds = ':00', fraction, zone] = match;
  if (!isRealDay(day)) return { kind: 'not-a-date-time' };
  if (zone === undefined) return { kind: 'without-zone' };
  const milliseconds = fraction ? `.${fraction.slice(0, 3).padEnd(3, '0')}` : '';
  const time = new Date(`${day}T${minutes}${seconds}${milliseconds}${zoneOf(zone)}`);
  if (Number.isNaN(time.getTime())) return { kind: 'not-a-date-time' };
  return {
    kind: 'utc',
    value: time.toISOString().replace('.000Z', 'Z'),
    exact: zone === 'Z' && text[10] === 'T',
  };
}

/** A date-time in UTC, ISO 8601, ending in `Z` (contract 2.3, 2.5). */
export const utcDateTimeSchema = z.iso.datetime({
  error: 'a date-time in UTC, ISO 8601, such as 2026-05-01T09:30:00Z',
});

/** A date-time with any zone; reads as UTC, ISO 8601, with milliseconds and `Z`. */
export const zonedDateTimeSchema = z.iso
  .datetime({ offset: true, error: 'a date-time with a time zone, ISO 8601, such as 2026-05-01T09:30:00Z' })
  .transform((text) => new Date(text).toISOString());
