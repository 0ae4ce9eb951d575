import { readDateTime } from '@waiver-service/core';

const hour = 3_600_000;

// The local time of a zone at a moment, as if it were UTC.
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

/** Whether a text names a time zone of the IANA database, such as `Europe/London`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts a local date and time, such as `2027-06-12 09:00:00`, from a time zone to UTC with `Z`. If clocks go back, an
 * ambiguous time is the earlier of the two; if they go forward, a skipped time moves forward by the change. `undefined`
 * for any text that is not a date and time without a zone.
 */
export function utcOfLocalDateTime(text: string, timeZone: string): string | undefined {
  if (readDateTime(text).kind !== 'without-zone') return undefined;
  const asUtc = readDateTime(`${text.trim()}Z`);
  if (asUtc.kind !== 'utc') return undefined;
  const shown = Date.parse(asUtc.value);
  const whole = Math.floor(shown / 1000) * 1000;
  const offsetNear = (moment: number) => clockAt(moment, timeZone) - moment;
  const [before, after] = [whole - 24 * hour, whole + 24 * hour].map((moment) => shown - offsetNear(moment));
  const candidates = [before, after].filter((moment) => moment !== undefined).sort((a, b) => a - b);
  const moment = candidates.find((at) => clockAt(Math.floor(at / 1000) * 1000, timeZone) === whole) ?? before;
  return moment === undefined ? undefined : new Date(moment).toISOString().replace('.000Z', 'Z');
}
