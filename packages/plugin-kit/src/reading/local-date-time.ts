import { readDateTime } from '@waiver-service/core';

const hour = 3_600_000;

// A zone's local time at a given moment, as if it were UTC.
function clockAt(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour: hours = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hours, minute, second);
}

/** Whether a text is an IANA time zone, such as `Europe/London`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** A local date and time in UTC. */
export interface LocalDateTime {
  /** With `Z`. */
  readonly utc: string;
  /** Whether the local time occurred twice because clocks went back; `utc` is the earlier moment. */
  readonly isRepeated: boolean;
}

/**
 * Reads a local date and time, such as `2027-06-12 09:00:00`, in a time zone. A time that is skipped because clocks go
 * forward is moved forward by the change. `undefined` for any text that is not a date and time without a zone.
 */
export function readLocalDateTime(text: string, timeZone: string): LocalDateTime | undefined {
  if (readDateTime(text).kind !== 'without-zone') return undefined;
  const asUtc = readDateTime(`${text.trim()}Z`);
  if (asUtc.kind !== 'utc') return undefined;
  const shown = Date.parse(asUtc.value);
  const whole = Math.floor(shown / 1000) * 1000;
  const momentBy = (near: number) => shown - (clockAt(near, timeZone) - near);
  const [before, after] = [momentBy(whole - 24 * hour), momentBy(whole + 24 * hour)];
  const candidates = [...new Set([Math.min(before, after), Math.max(before, after)])];
  const moments = candidates.filter((at) => clockAt(Math.floor(at / 1000) * 1000, timeZone) === whole);
  const utc = new Date(moments[0] ?? before).toISOString().replace('.000Z', 'Z');
  return { utc, isRepeated: moments.length > 1 };
}

/** The moment of {@link readLocalDateTime}. */
export const utcOfLocalDateTime = (text: string, timeZone: string): string | undefined =>
  readLocalDateTime(text, timeZone)?.utc;
