import { InvalidBookingResponse } from '../errors/booking-system-error.ts';
import { bookingGuestIdSchema, bookingIdSchema, isStorableText } from '../identifiers.ts';
import { isInvisibleText } from '../name-key.ts';
import type { FetchedBooking } from '../plugin/fetched-booking.ts';
import type { Warning, WarningCode } from '../warning.ts';
import type { Booking, Contact, Guest } from './booking.ts';

/*
 * What a booking brings reaches waivers: ids, activities, and the texts that pre-fill them. Here is decided, for all
 * booking systems, what a waiver cannot take.
 *
 *   refused            a booking id that none can have, more people than maxPax, nesting beyond maxDepth
 *   text_rewritten     U+0000 and lone surrogates in any text; control characters, line breaks and excess length in names
 *   value_ignored      unusable guest ids, activity ids, addresses, names that show nothing, more activities than one
 *                      waiver can have
 *   guest_id_repeated  an id of several guests: none of them keeps it, so that no signature counts for two
 */

/** The most people of one booking: the day board has a row for each. */
export const maxPax = 10_000;

/** The most activities of one waiver, so of one booking. */
export const maxActivities = 200;

// As JSON in UTF-8: the body of a waiver has to hold them beside its answers.
const maxActivitiesBytes = 32 * 1024;

const maxDepth = 100;

/** In UTF-16 code units, as the waiver API accepts them. */
const maxLengths = { name: 500, email: 320, phoneNumber: 100, activityId: 256 } as const;

/** Findings of one kind; there is one warning for all of them, because a booking may have many guests. */
class Findings {
  readonly #code: WarningCode;
  readonly #messageOf: (what: string) => string;
  #firstPath: string | undefined;
  #count = 0;

  constructor(code: WarningCode, messageOf: (what: string) => string) {
    this.#code = code;
    this.#messageOf = messageOf;
  }

  add(path: string): void {
    this.#firstPath ??= path;
    this.#count += 1;
  }

  get warnings(): readonly Warning[] {
    if (this.#firstPath === undefined) return [];
    const what = this.#count === 1 ? 'a value' : `${this.#count} values`;
    return [{ code: this.#code, path: this.#firstPath, message: this.#messageOf(what) }];
  }
}

const newFindings = () => ({
  rewritten: new Findings(
    'text_rewritten',
    (what) =>
      `${what} had characters that cannot be stored, or that do not belong in a name, or was too long: it was rewritten`,
  ),
  ignored: new Findings('value_ignored', (what) => `${what} that no waiver can have: it was ignored`),
  repeated: new Findings(
    'guest_id_repeated',
    () =>
      'several guests have the same id: none of them keeps it, and waivers are matched with them by name. Give each guest an id',
  ),
});

type AllFindings = ReturnType<typeof newFindings>;

type Nested = Record<string, unknown>;
const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

// Hot path, run over every value of every response: it allocates nothing.
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (!isNested(value)) return true;
  if (depth >= maxDepth) return false;
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1));
  for (const name in value) {
    if (!isStorableText(name) || !isStorable(value[name], depth + 1)) return false;
  }
  return true;
}

const storableText = (text: string) => text.replaceAll('\u0000', '\uFFFD').toWellFormed();

function makeStorable(holder: Nested, path: string, rewritten: Findings, depth = 0): void {
  if (depth >= maxDepth) {
    const issue = { path: path.slice(0, 80), message: 'is nested too deeply' };
    throw new InvalidBookingResponse('the answer is not a booking', [issue]);
  }
  for (const [name, value] of Object.entries(holder)) {
    const storedName = storableText(name);
    const at = Array.isArray(holder)
      ? `${path}[${name}]`
      : path === ''
        ? storedName
        : `${path}.${storedName}`;
    if (isNested(value)) makeStorable(value, at, rewritten, depth + 1);
    const isInfinite = typeof value === 'number' && !Number.isFinite(value);
    const stored = typeof value === 'string' ? storableText(value) : isInfinite ? null : value;
    if (storedName === name && stored === value) continue;
    rewritten.add(at);
    if (storedName !== name) delete holder[name];
    holder[storedName] = stored;
  }
}

const lineBreaks = /[\p{Cc}\u2028\u2029]+/gu;

/** A text about a person: on one line, and not too long. Undefined if it is unusable. */
function personalText(field: 'name' | 'email' | 'phoneNumber', given: string): string | undefined {
  if (given === '') return given;
  const text = storableText(given.replace(lineBreaks, ' '));
  if (isInvisibleText(text)) return undefined;
  const maxLength = maxLengths[field];
  if (text.length <= maxLength) return text;
  // A part of an address is another address.
  return field === 'name' ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : undefined;
}

function makePersonSignable(
  person: Contact | Guest,
  path: string,
  { rewritten, ignored }: AllFindings,
): void {
  for (const field of ['name', 'email', 'phoneNumber'] as const) {
    const given = person[field];
    const text = given === undefined ? undefined : personalText(field, given);
    if (text === given) continue;
    (text === undefined ? ignored : rewritten).add(`${path}.${field}`);
    if (text === undefined) delete person[field];
    else person[field] = text;
  }
}

function repeatedIds(guests: readonly Guest[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of guests) {
    if (id === undefined) continue;
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return repeated;
}

function makeGuestsSignable(guests: readonly Guest[], findings: AllFindings): void {
  const repeated = repeatedIds(guests);
  for (const [index, guest] of guests.entries()) {
    const path = `guests[${index}]`;
    makePersonSignable(guest, path, findings);
    const { id } = guest;
    if (id === undefined) continue;
    if (repeated.has(id)) findings.repeated.add(`${path}.id`);
    else if (bookingGuestIdSchema.safeParse(id).success) continue;
    else findings.ignored.add(`${path}.id`);
    delete guest.id;
  }
}

const canBeActivityId = (id: string) => id !== '' && id.length <= maxLengths.activityId && isStorableText(id);

const jsonBytes = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length;

function makeActivitiesSignable({ bookedSessions }: Booking, { ignored }: AllFindings): void {
  const kept = new Set<string>();
  let bytes = 0;
  for (const [index, session] of bookedSessions.entries()) {
    const { activityId } = session;
    if (activityId === undefined || kept.has(activityId)) continue;
    const needed = canBeActivityId(activityId) ? jsonBytes(activityId) : Number.POSITIVE_INFINITY;
    if (kept.size < maxActivities && bytes + needed <= maxActivitiesBytes) {
      kept.add(activityId);
      bytes += needed;
    } else {
      ignored.add(`bookedSessions[${index}].activityId`);
      delete session.activityId;
    }
  }
}

function requirePossible({ id, pax }: Booking): void {
  const { error } = bookingIdSchema.safeParse(id);
  const issues = [
    ...(error === undefined
      ? []
      : [{ path: 'id', message: `is unusable: ${error.issues[0]?.message ?? ''}` }]),
    ...(pax > maxPax ? [{ path: 'pax', message: `is more than ${maxPax} people` }] : []),
  ];
  if (issues.length > 0) throw new InvalidBookingResponse('the answer is not a booking', issues);
}

/**
 * Changes a booking, in place, into one whose guests can sign: each text can be stored, and each id, activity, name and
 * address is one that a waiver can have. Each kind of change adds a warning.
 *
 * @throws InvalidBookingResponse for an unusable booking id, too many people, or a value nested too deeply
 */
export function makeSignable(fetched: FetchedBooking): FetchedBooking {
  const { booking, warnings } = fetched;
  requirePossible(booking);
  const findings = newFindings();
  // Ids are judged as they came: a rewritten one could be another guest's or activity's.
  makeGuestsSignable(booking.guests, findings);
  makeActivitiesSignable(booking, findings);
  makePersonSignable(booking.contact, 'contact', findings);
  booking.contact.name ??= '';
  if (!isStorable(booking)) makeStorable(booking, '', findings.rewritten);
  const found = Object.values(findings).flatMap((each) => each.warnings);
  return found.length === 0 ? fetched : { ...fetched, warnings: [...warnings, ...found] };
}
