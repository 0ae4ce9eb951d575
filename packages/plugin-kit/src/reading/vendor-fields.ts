import { type BookedSession, type Contact, readDateTime } from '@waiver-service/core';
import { dateTimeRefusal, optionalText } from './fields.ts';
import { isJsonObject, type JsonObject, quoted } from './json.ts';
import type { Reading } from './reading.ts';

/** A non-empty text, trimmed, or an integer as text; `undefined` for anything else. Adds no warning. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' ? undefined : value.trim();
}

/** The fields without those that are `undefined`. */
export function definedFields<Name extends string>(
  fields: Readonly<Record<Name, string | undefined>>,
): { [name in Name]?: string } {
  const defined: { [name in Name]?: string } = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined;
}

/** Non-empty texts by label; the first one of a repeated label. */
export function textsByLabel(
  entries: Iterable<readonly [label: string | undefined, text: string | undefined]>,
): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [label, text] of entries) {
    if (label !== undefined && text !== undefined && !texts.has(label)) texts.set(label, text);
  }
  return Object.fromEntries(texts);
}

/** The value if it is an object, otherwise an empty object. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The objects in a list; none if the value is not a list. */
export const objectsIn = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];

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
interface LocalDateTime {
  /** With `Z`. */
  readonly utc: string;
  /** Whether the local time occurred twice because clocks went back; `utc` is the earlier moment. */
  readonly isRepeated: boolean;
}

/**
 * Reads a local date and time, such as `2027-06-12 09:00:00`, in a time zone. A time that is skipped because clocks go
 * forward is moved forward by the change. `undefined` for any text that is not a date and time without a zone.
 */
function readLocalDateTime(text: string, timeZone: string): LocalDateTime | undefined {
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

/** A local date and time, such as `2027-06-12 09:00:00`, in UTC; `undefined` for any other text. */
export const utcOfLocalDateTime = (text: string, timeZone: string): string | undefined =>
  readLocalDateTime(text, timeZone)?.utc;

/** A guest or booker in a vendor's booking. */
export interface Person {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
}

type PersonFields = 'fullName' | 'firstName' | 'lastName' | 'email' | 'phoneNumber';

/** Creates a person from a vendor's fields. The name is the full name, or else first and last name. */
export function vendorPerson(fields: Readonly<Partial<Record<PersonFields, unknown>>>): Person {
  const names = [textOf(fields.firstName), textOf(fields.lastName)].filter((name) => name !== undefined);
  return {
    name: textOf(fields.fullName) ?? textOf(names.join(' ')),
    email: textOf(fields.email),
    phoneNumber: textOf(fields.phoneNumber),
  };
}

/** `adult`, `child`, or the vendor's own word for another type of participant. */
export function participantTypeOf(word: string | undefined): string | undefined {
  if (word !== undefined && /^adults?$/i.test(word)) return 'adult';
  return word !== undefined && /^child(ren)?$/i.test(word) ? 'child' : word;
}

const isAbsentOrEqual = (one: string | undefined, other: string | undefined) =>
  one === undefined || one === other;

/** Whether a person has only the booker's data, which some booking forms copy to every guest. */
export const isCopyOf = (person: Person, booker: Person): boolean =>
  isAbsentOrEqual(person.name, booker.name) &&
  isAbsentOrEqual(person.email, booker.email) &&
  isAbsentOrEqual(person.phoneNumber, booker.phoneNumber);

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

/** Reads an optional text, trimmed. `null` and `""`, which vendors send for empty fields, count as absent. No warning. */
export function vendorText(reading: Reading, value: unknown, path: string): string | undefined {
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
  const text = vendorText(reading, value, path);
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
