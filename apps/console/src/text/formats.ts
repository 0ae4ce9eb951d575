/**
 * The locale of every date, number and list: that of the console's texts, never the browser's. A browser may report a
 * language that `Intl` rejects with a RangeError (Chromium under `LANG=C`: `en-US@posix`), or one whose digits and
 * calendar do not match the surrounding text.
 */
const locale = 'en-GB';

const number = new Intl.NumberFormat(locale);
const languages = new Intl.DisplayNames(locale, { type: 'language' });
const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const timeOfDay = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const fullTime = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const count = (value: number): string => number.format(value);
export const toOneDecimal = (value: number): string => oneDecimal.format(value);
const formatRelative = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
  relative.format(value, unit);
export const formatDay = (at: Date): string => day.format(at);
/** @param date - `YYYY-MM-DD`, without a time zone */
export const formatCalendarDay = (date: string): string => calendarDay.format(new Date(date));
export const formatTimeOfDay = (at: Date): string => timeOfDay.format(at);
const timesOfZones = new Map<string, Intl.DateTimeFormat>();

/** The time of day in a given time zone, not the viewer's. */
export function formatTimeIn(timeZone: string, at: Date): string {
  const known = timesOfZones.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  timesOfZones.set(timeZone, format);
  return format.format(at);
}

/** The date in a time zone at a given moment, as a date field's value: `2027-06-12`. */
export function dayInZone(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const longDay = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** @param date - `YYYY-MM-DD`, without a time zone */
export const formatLongDay = (date: string): string => longDay.format(new Date(date));

export const formatDayAndTime = (at: Date): string => dayAndTime.format(at);
export const formatFullTime = (at: Date): string => fullTime.format(at);

/** The name of a language, or the tag itself if it has none. */
export function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** For libraries that read the browser's locale, as uPlot does on load. */
export function giveLibrariesTheLocale(): void {
  Reflect.defineProperty(navigator, 'language', { value: locale });
  Reflect.defineProperty(navigator, 'languages', { value: [locale] });
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long before or after `now` a time is, in its largest unit: "5 min. ago". */
export function relativeTime(at: Date, now: Date): string {
  const difference = at.getTime() - now.getTime();
  const [unit, ms] = units.find(([, length]) => Math.abs(difference) >= length) ?? ['second', 1_000];
  // Truncated: rounding would show 59.9 minutes as 60, and could make an earlier time read as later.
  return formatRelative(Math.trunc(difference / ms), unit);
}

const midnight = (day: string) => new Date(`${day}T00:00:00`);

/** The start of a day in the viewer's time zone. @param day - a date field's value: `2027-06-12` */
export const startOfDay = (day: string): string => midnight(day).toISOString();

/** Its end there: 23 or 25 hours later when clocks change. */
export function endOfDay(day: string): string {
  const end = midnight(day);
  end.setHours(24, 0, 0, 0);
  return end.toISOString();
}

export function shiftDay(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, 10);
}

export const plural = (value: number, one: string, many: string) =>
  `${count(value)} ${value === 1 ? one : many}`;
