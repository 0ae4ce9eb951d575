import { countryCodes } from '@waiver-service/forms';

/** The browser's languages; some are not valid tags. */
export function browserLanguages(): readonly string[] {
  const { languages, language } = navigator;
  return languages?.length > 0 ? languages : [language ?? ''];
}

/** With the Gregorian calendar and digits 0 to 9, in which dates are entered. Undefined if `Intl` rejects the tag. */
function toLocale(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  } catch {
    return undefined;
  }
}

/** The locale for dates: the language, with the reader's country if the browser reports it. */
function localeOf(language: string): string {
  const isInCountry = (tag: string) => tag.toLowerCase().startsWith(`${language.toLowerCase()}-`);
  const regional = browserLanguages().find((tag) => isInCountry(tag) && toLocale(tag) !== undefined);
  return toLocale(regional ?? language) ?? 'en';
}

/** How hours are written: `7:30 AM`, but `07:30`. */
const hourOf = (locale: string): '2-digit' | 'numeric' =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 ? 'numeric' : '2-digit';

/** The name of a language in that language. */
export function languageName(language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** Months by name, January first. */
export function monthNames(language: string): readonly string[] {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2024, month, 1)));
}

export type DatePart = 'day' | 'month' | 'year';
const isDatePart = (type: string): type is DatePart => ['day', 'month', 'year'].includes(type);

/** The order in which a date is written. */
export const dateOrder = (language: string): readonly DatePart[] =>
  new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'long', year: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isDatePart);

/** A date, `YYYY-MM-DD`, in words; anything else unchanged. */
export function formatDay(language: string, day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** A session's start, in the time zone where it takes place. */
export function formatStart(language: string, startsAt: string, timeZone: string | undefined): string {
  const at = new Date(startsAt);
  if (Number.isNaN(at.getTime())) return '';
  const options = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: hourOf(localeOf(language)),
    minute: '2-digit',
  } as const;
  try {
    return new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone }).format(at);
  } catch {
    return new Intl.DateTimeFormat(localeOf(language), options).format(at);
  }
}

/** A time of day, in the given time zone or the device's. */
export function formatTime(language: string, at: string, timeZone?: string): string {
  const options = { hour: hourOf(localeOf(language)), minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat(
    localeOf(language),
    timeZone === undefined ? options : { ...options, timeZone },
  );
  return format.format(new Date(at));
}

/** The date in a time zone at a given moment, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** A list with “and”. */
export const formatList = (language: string, names: readonly string[]): string =>
  new Intl.ListFormat(localeOf(language)).format(names);

/** All countries, sorted by their names in the language. */
export function countries(language: string): readonly { readonly id: string; readonly label: string }[] {
  const locale = localeOf(language);
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return countryCodes
    .map((id) => ({ id, label: names.of(id) ?? id }))
    .sort((one, other) => compare(one.label, other.label));
}
