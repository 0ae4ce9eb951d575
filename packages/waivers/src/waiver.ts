import { createHash } from 'node:crypto';

/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A guest's answers, by property name. */
export type Answers = Readonly<Record<string, JsonValue>>;

/** The maximum size of a waiver's answers, in bytes of JSON in UTF-8. */
export const maxAnswersBytes = 256 * 1024;

/** The size of answers, in bytes of JSON in UTF-8. */
export const answersBytes = (answers: Answers): number => Buffer.byteLength(JSON.stringify(answers));

/** Whether answers exceed {@link maxAnswersBytes}. Answers stored before the limit may still shrink. */
export function areAnswersTooLarge(answers: Answers, former?: Answers): boolean {
  const bytes = answersBytes(answers);
  return bytes > maxAnswersBytes && (former === undefined || bytes > answersBytes(former));
}

/**
 * Merges changed answers into existing ones; null removes one. Existing answers keep their order, new ones are
 * appended.
 */
export function mergeAnswers(answers: Answers, changed: Answers): Answers {
  const merged = new Map(Object.entries(answers));
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** The names of the answers that `next` no longer has. */
export function removedAnswers(former: Answers, next: Answers): ReadonlySet<string> {
  return new Set(Object.keys(former).filter((name) => !Object.hasOwn(next, name)));
}

/**
 * The fields of a waiver that its caller sets.
 *
 * To add one, declare it here: the compiler finds most of the other places. docs/development.md, "Add a field to a
 * waiver", lists all of them.
 */
export interface WaiverContent {
  /** Install name. */
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
  /** Ids of the activities that the guest checks in to. */
  readonly activities: readonly string[];
  /** The step of a multi-step waiver; null when it is finished. */
  readonly currentPage: string | null;
  readonly answers: Answers;
  /** The last day, `YYYY-MM-DD`, on which it is valid; null: valid for its booking, whenever that is. */
  readonly validUntil: string | null;
  /** The id of the waiver that a returning guest confirmed instead of signing again. */
  readonly reuseOf: string | null;
}

/** The source of `lastVisit`: the caller, the start of a booked session, or only the time of creation. */
export type LastVisitSource = 'given' | 'session' | 'created';

/**
 * Whether booking systems have been told of a record that a guest has begun on the check-in page. Only earlier versions
 * of the service told them: nobody has signed yet.
 */
export type BegunState = 'untold' | 'told';

/** One guest's waiver. */
export interface WaiverRecord extends WaiverContent {
  readonly id: string;
  readonly pool: string;
  readonly lastVisit: Date;
  readonly lastVisitSource: LastVisitSource;
  /** Whether it was voided. */
  readonly deleted: boolean;
  /** Set while it is a draft: a guest has begun on the check-in page, and has not signed. */
  readonly begun: BegunState | null;
  readonly createdAt: Date;
  /** Strictly increasing from version to version, in milliseconds. */
  readonly updatedAt: Date;
  readonly version: number;
}

type Changed<Content> = { readonly [Field in keyof Content]?: Content[Field] | null | undefined };

/** A change to a waiver: `undefined` leaves a field unchanged, null empties it. */
export interface WaiverChange extends Changed<Omit<WaiverContent, 'answers'>> {
  /** Merged into the existing ones; null removes one. */
  readonly answers?: Answers | undefined;
  /** Null derives it again from the booking's sessions. */
  readonly lastVisit?: Date | null | undefined;
}

/** A waiver to create: a change to an empty one. */
export interface NewWaiver extends WaiverChange {
  /** A UUIDv7 if omitted. */
  readonly id?: string | undefined;
  readonly pool: string;
}

function valueAfter<Value>(
  former: Value | undefined,
  changed: Value | null | undefined,
  empty: Value,
): Value {
  if (changed === null) return empty;
  if (changed !== undefined) return changed;
  return former === undefined ? empty : former;
}

/** The content after a change; without `former`, a new waiver's. */
export function contentAfter(former: WaiverContent | undefined, change: WaiverChange): WaiverContent {
  return {
    bookingSystem: valueAfter(former?.bookingSystem, change.bookingSystem, null),
    bookingId: valueAfter(former?.bookingId, change.bookingId, null),
    bookingGuestId: valueAfter(former?.bookingGuestId, change.bookingGuestId, null),
    activities: valueAfter(former?.activities, change.activities, []),
    currentPage: valueAfter(former?.currentPage, change.currentPage, null),
    answers: mergeAnswers(former?.answers ?? {}, change.answers ?? {}),
    validUntil: valueAfter(former?.validUntil, change.validUntil, null),
    reuseOf: valueAfter(former?.reuseOf, change.reuseOf, null),
  };
}

/**
 * SHA-256, in hexadecimal, of the content with which a waiver is created. Identifies repeated requests, whatever the
 * order of the answers. It is stored, so the same content must have the same hash in every release.
 *
 * @param lastVisit as set by the caller.
 */
export function contentHashOf(content: WaiverContent, lastVisit: Date | undefined): string {
  const hashed: { readonly [Field in keyof WaiverContent | 'lastVisit']: JsonValue } = {
    bookingSystem: content.bookingSystem,
    bookingId: content.bookingId,
    bookingGuestId: content.bookingGuestId,
    activities: content.activities,
    lastVisit: lastVisit?.toISOString() ?? null,
    currentPage: content.currentPage,
    answers: sortNames(content.answers),
    validUntil: content.validUntil,
    reuseOf: content.reuseOf,
    // Append new fields, null if empty: trailing nulls are omitted, so that existing hashes stay valid.
  };
  const values = Object.values(hashed);
  const given = values.slice(0, values.findLastIndex((value) => value !== null) + 1);
  return createHash('sha256').update(JSON.stringify(given), 'utf8').digest('hex');
}

function sortNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([name, inner]) => [name, sortNames(inner)]),
  );
}

/** A booking of a pool. */
export interface BookingKey {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** The booking that a waiver belongs to; undefined for a walk-in. */
export function bookingOf(waiver: {
  readonly pool: string;
  readonly bookingSystem?: string | null | undefined;
  readonly bookingId?: string | null | undefined;
}): BookingKey | undefined {
  const { pool, bookingSystem, bookingId } = waiver;
  return bookingSystem && bookingId ? { pool, bookingSystem, bookingId } : undefined;
}

/** Whether two versions of a waiver belong to the same booking. */
export const isSameBooking = (one: WaiverRecord, other: WaiverRecord): boolean =>
  one.bookingId === other.bookingId && one.bookingSystem === other.bookingSystem;
