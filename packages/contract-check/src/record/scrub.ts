import type { BookingSystemRequest } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { isJsonObject, isTimeZone, type JsonObject } from '@waiver-service/plugin-kit';
import type { PersonalWords } from './personal-words.ts';

/** The kind of a value, by its field's name. Unlike `personal` values, remarks consist of words common in field names. */
type FieldKind = 'personal' | 'remark' | 'time' | 'zone' | 'status' | 'count' | 'id' | 'event' | 'other';

const personal =
  /contact|^customer$|^owner$|birth|dob$|^age$|^(first|last|full|middle|sur|fore|family|given)_?name$|holder|e?-?mail|phone|mobile|fax|address|street|city|zip|post_?code|passport|passenger|customer_name|secret|token|password|key$|signature/i;
const remark = /note|comment|message|remark|description|special_?request|url$/i;
const zone = /zone/i;
const status = /status|state$/i;
const time = /^(start|end|arrival)|(start|end)$|time|date|(_at|At)$|^utc|created|updated|modified|expires/i;
const count = /quantit|qty|^pax|count$|occupancy|^totalParticipants$/i;
const event = /^(events?|topic|action)(_?(name|type))?$/i;
const id = /(^|_)(id|pk)$|[a-z]I[dD]$/;

/** A field's kind by its name. If several match, the most personal one wins. */
function kindOfField(name: string): FieldKind {
  if (remark.test(name)) return 'remark';
  if (personal.test(name)) return 'personal';
  if (zone.test(name)) return 'zone';
  if (status.test(name)) return 'status';
  if (time.test(name)) return 'time';
  if (count.test(name)) return 'count';
  if (event.test(name)) return 'event';
  return id.test(name) ? 'id' : 'other';
}

const types = ['adult', 'child', 'youth', 'infant', 'senior', 'student', 'family', 'military', 'traveller'];

const words = new Set([
  ...types.flatMap((type) => [type, `${type}s`]),
  ...[
    'children',
    'guest',
    'guests',
    'person',
    'people',
    'participant',
    'participants',
    'other',
    'unit',
    'booking',
    'waiver',
    'waivers',
  ],
  ...[
    'name',
    'full name',
    'first name',
    'last name',
    'email',
    'e-mail',
    'email address',
    'phone',
    'phone number',
  ],
  ...['mobile', 'date of birth', 'birth date', 'age', 'height', 'weight', 'gender', 'country', 'allergies'],
  ...[
    'start_time',
    'opening_hours',
    'pass',
    'sessionpass',
    'membership',
    'recurringpass',
    'available',
    'default',
  ],
  ...['ok', 'text', 'date', 'number', 'boolean', 'true', 'false', 'yes', 'no', 'pself', 'pnew', 'punknown'],
  ...['cadults', 'cchildren', 'cinfants', 'per_booking', 'per_person', 'date_and_time'],
]);

/** Whether a text is a trade word: it reveals nothing about a person, and reading a booking may depend on it. */
const isTradeWord = (text: string): boolean => words.has(text.trim().toLowerCase());

const dateTimePattern = /^(\d{4})-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const clockPattern = /^\d{1,2}:\d\d(:\d\d)?$/;
const namePattern = /^[@_$]?[A-Za-z][A-Za-z0-9_.$@-]*$/;
// Such as `booking.json`, `v2` or `4.0`. Anything else with a digit may be an id.
const fixedSegmentPattern = /^(?:[A-Za-z._-]*|v\d|\d\.\d)$/;
// A query's own word, or a number such as a page's size.
const fixedValuePattern = /^(?:[A-Za-z._, -]*|\d{1,4})$/;
const lineIdPattern = /^\d{1,2}(\.\d{1,2})?$/;
/** The pool and the waiver of a recording: they are nobody's. */
export const recordingPool = 'waiver-service-check';
export const recordedWaiverId = 'recorded-waiver';
// Between the parts that stay is what a plugin adds to the id, such as the booking's.
const ownLinePattern = new RegExp(
  `(\\[waiver ${recordedWaiverId})([^\\]\\s]*)(\\] updated \\d{4}-\\d{2}-\\d{2}(?: \\[end\\])?)`,
);
// Such as `booking.updated`.
const eventPattern = /^[A-Za-z_.:/-]{1,60}$/;
const integerPattern = /^\d+$/;
const maxCount = 99;
const maxStatus = 999;

// A date outside this range may be a date of birth.
function isRecentYear(year: number): boolean {
  const now = new Date().getUTCFullYear();
  return year >= now - 3 && year <= now + 5;
}

const isRecentDate = (text: string) => isRecentYear(Number(dateTimePattern.exec(text)?.[1]));
/** Whether a number is a time in Unix seconds or milliseconds. */
const isRecentUnixTime = (value: number) =>
  [value * 1_000, value].some(
    (time) => Math.abs(time) <= 8.64e15 && isRecentYear(new Date(time).getUTCFullYear()),
  );
const maxDepth = 100;

const minWordLength = 3;
// A shorter text may be part of an ordinary word.
const minPartLength = 6;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];

const inventedWords = new Set([recordingPool, recordedWaiverId].flatMap(wordsOf));

/** Fields next to which `value` and the like are a person's answer. */
const questionFields = ['label', 'lbl', 'question', 'questionId', 'custom_field', 'fieldId', 'title', 'type'];
const answerFields = new Set(['value', 'display_value', 'answer', 'text']);

/** Texts known before anything is read. */
export interface KnownTexts {
  /** The booking system's statuses, which are kept. */
  readonly statuses: ReadonlySet<string>;
  /** The request's own: values of the account and the settings, and the booking's id. None may remain anywhere. */
  readonly own: readonly string[];
}

/** Whether a text is a time zone, and no name that is one by chance, such as `Cuba`. */
const isZone = (text: string) => text === 'UTC' || (text.includes('/') && isTimeZone(text));

type Params = NonNullable<BookingSystemRequest['params']>;

interface Place {
  readonly kind: FieldKind;
  readonly isAnswer: boolean;
}

/** Whether the values inside a field inherit its kind: `contact.email.address`, `quantities[0].value`. */
const isInherited = (kind: FieldKind) => ['personal', 'remark', 'count'].includes(kind);

function placeIn(holder: JsonObject, name: string, outer: Place): Place {
  const own = kindOfField(name);
  const isQuestion = questionFields.some((field) => field !== name && field in holder);
  const isAnswer = outer.kind !== 'count' && answerFields.has(name) && isQuestion;
  const isOwn = own === 'personal' || own === 'remark' || !isInherited(outer.kind);
  const kind = isOwn ? own : outer.kind;
  return { kind, isAnswer: isAnswer || outer.isAnswer };
}

/** Replaces everything in responses that may be personal. Only what is known to be harmless stays. */
export class Scrubber {
  readonly #words: PersonalWords;
  readonly #known: KnownTexts;
  readonly #personal = new Set<string>();
  /** Replaced wherever one is the whole value, however short: the request's own texts, and integers of paths. */
  readonly #wholes: Set<string>;
  readonly #replaced = new Set<string>();
  /** The words of addresses that no response has given: the API's own. */
  readonly #apiWords = new Set<string>();
  readonly #longOwn: readonly string[];
  readonly #statusWords: ReadonlySet<string>;

  constructor(words: PersonalWords, known: KnownTexts) {
    this.#words = words;
    this.#known = known;
    this.#statusWords = new Set([...known.statuses].flatMap(wordsOf));
    const own = known.own.filter((text) => !isTradeWord(text) && !isZone(text));
    this.#longOwn = own.filter(({ length }) => length >= minPartLength);
    this.#wholes = new Set(own);
    for (const text of own) if (text.length < minPartLength) this.addPersonal(text);
  }

  #isHarmless(text: string, { kind, isAnswer }: Place): boolean {
    if (kind === 'personal' || kind === 'remark' || isAnswer) return false;
    if (kind === 'time' && (isRecentDate(text) || clockPattern.test(text))) return true;
    if (kind === 'zone' && isZone(text)) return true;
    if (kind === 'status' && this.#known.statuses.has(text)) return true;
    if (kind === 'event' && eventPattern.test(text)) return this.isClean(text);
    if (kind === 'count' && Number(text) <= maxCount && /^\d{1,2}$/.test(text)) return true;
    return (isTradeWord(text) || this.#apiWords.has(text)) && this.isClean(text);
  }

  #isHarmlessNumber(value: number, { kind, isAnswer }: Place): boolean {
    if (kind === 'personal' || kind === 'remark' || isAnswer) return false;
    if (kind === 'time' && isRecentUnixTime(value)) return true;
    const isCounted = kind === 'count' || kind === 'status';
    if (kind === 'id' || (!isCounted && this.#wholes.has(String(value)))) return false;
    return Number.isInteger(value) && value >= 0 && value <= (kind === 'status' ? maxStatus : maxCount);
  }

  /** Keeps field names, except those that contain a personal word, a long number or a sentence. */
  #nameOf(name: string): string {
    const isField = namePattern.test(name) && !/\d{4}/.test(name);
    return !this.#wholes.has(name) &&
      this.isClean(name) &&
      (isField || lineIdPattern.test(name) || isTradeWord(name))
      ? name
      : this.#words.replaced(name);
  }

  /** Collects the words of surely personal values, to replace them in field names as well. */
  #collect(value: unknown, place: Place, depth: number): void {
    if (depth > maxDepth) return;
    if (typeof value === 'string') {
      if (place.kind === 'personal' || place.isAnswer) this.addPersonal(value);
    } else if (Array.isArray(value)) for (const one of value) this.#collect(one, place, depth + 1);
    else if (isJsonObject(value)) {
      for (const [name, inside] of Object.entries(value)) {
        this.#collect(inside, placeIn(value, name, place), depth + 1);
      }
    }
  }

  /** Adds a text whose words must not remain anywhere, such as the requested id. */
  addPersonal(text: string): void {
    const others = text.split(ownLinePattern).filter((_, place) => place % 2 === 0);
    for (const word of others.flatMap(wordsOf)) {
      // A year also occurs in the booking's times.
      const isYear = /^\d{4}$/.test(word) && isRecentYear(Number(word));
      const isKnown = isTradeWord(word) || this.#statusWords.has(word) || inventedWords.has(word) || isYear;
      if (word.length >= minWordLength && !isKnown) this.#personal.add(word);
    }
  }

  /** Whether a text contains neither a collected word nor one of the request's own texts. */
  isClean(text: string): boolean {
    return (
      wordsOf(text).every((word) => !this.#personal.has(word)) &&
      this.#longOwn.every((own) => !text.includes(own))
    );
  }

  #scrub(value: unknown, place: Place, depth: number): unknown {
    if (depth > maxDepth) return null;
    if (typeof value === 'string') return this.#isHarmless(value, place) ? value : this.text(value);
    if (typeof value === 'number') {
      return this.#isHarmlessNumber(value, place) ? value : this.#number(value);
    }
    if (Array.isArray(value)) return value.map((one) => this.#scrub(one, place, depth + 1));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [
        this.#nameOf(name),
        this.#scrub(inside, placeIn(value, name, place), depth + 1),
      ]),
    );
  }

  #number(value: number): number {
    this.#replaced.add(String(value));
    return this.#words.replacedNumber(value);
  }

  /** A text with all its words replaced, apart from the line of the waiver that was written. */
  text(text: string): string {
    this.#replaced.add(text);
    return text
      .split(ownLinePattern)
      .map((part, place) => (place % 2 === 0 ? this.#words.replaced(part) : part))
      .join('');
  }

  /** Bodies with everything that may be personal replaced. */
  bodies(bodies: readonly unknown[]): unknown[] {
    return this.groups([bodies]).flat();
  }

  /** Several groups of bodies, in which the same words are replaced. */
  groups(groups: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
    const outer: Place = { kind: 'other', isAnswer: false };
    for (const body of groups.flat()) this.#collect(body, outer, 0);
    return groups.map((bodies) => bodies.map((body) => this.#scrub(body, outer, 0)));
  }

  #isFixed(text: string, pattern: RegExp): boolean {
    const isKnown = this.#wholes.has(text) || (this.#replaced.has(text) && !this.#apiWords.has(text));
    return !isKnown && this.isClean(text) && pattern.test(text);
  }

  /** Adds the integers of a path, which are ids: they are replaced in the bodies, too, however small. */
  addPath(path: string): void {
    for (const segment of path.split('/')) if (integerPattern.test(segment)) this.#wholes.add(segment);
  }

  /** Adds the words of a path that was requested before there was any response. */
  addFirstPath(path: string): void {
    for (const segment of path.split('/')) {
      const isWord = /^[A-Za-z]/.test(segment) && fixedSegmentPattern.test(segment);
      if (isWord && !this.#wholes.has(segment)) this.#apiWords.add(segment);
    }
  }

  /** A path below the base address. Its ids are replaced as in the bodies. */
  path(path: string): string {
    return path
      .split('/')
      .map((segment) => {
        const text = decodeURIComponent(segment);
        return this.#isFixed(text, fixedSegmentPattern) ? segment : percentEncode(this.text(text));
      })
      .join('/');
  }

  /** A request's query. Its ids are replaced as in the bodies; recent dates stay. */
  query(params: Params): Params {
    const entries = Object.entries(params).map(([name, value]) => [
      this.#nameOf(name),
      value === undefined || isRecentDate(value) || this.#isFixed(value, fixedValuePattern)
        ? value
        : this.text(value),
    ]);
    return Object.fromEntries(entries);
  }

  /** The settings or the account, with those of its values replaced that are replaced elsewhere. */
  fields(value: unknown): unknown {
    if (typeof value === 'string') return this.#wholes.has(value) ? this.text(value) : value;
    if (typeof value === 'number') return this.#wholes.has(String(value)) ? this.#number(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.fields(one));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, this.fields(inside)]));
  }
}
