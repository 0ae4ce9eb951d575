import type { JsonValue, WaiverRecord } from './waiver.ts';

/** Who made a version of a waiver. */
export interface Actor {
  /**
   * `admin-token`, `credential:<id>`, `oidc:<subject>`, `access-token:<id>`, `check-in-link:<id>`, `kiosk:<id>`,
   * `check-in`, or `booking-system:<install name>` if the waiver followed its booking.
   */
  readonly id: string;
  /** Its name at the time; null if it has none. */
  readonly name: string | null;
}

/** How an answer changed. A removed answer's value is not kept, nor are its earlier values. */
export type AnswerChange =
  | { readonly kind: 'added'; readonly after?: JsonValue }
  | { readonly kind: 'changed'; readonly before?: JsonValue; readonly after?: JsonValue }
  | { readonly kind: 'removed' };

/** Fields that never change, are part of every version anyway, or, like answers, are compared one by one. */
type UnversionedField =
  | 'id'
  | 'pool'
  | 'lastVisitSource'
  | 'createdAt'
  | 'updatedAt'
  | 'version'
  | 'answers'
  | 'reuseOf'
  | 'begun';

/** A field whose changes a version records. */
export type VersionedField = Exclude<keyof WaiverRecord, UnversionedField>;

/** Each {@link VersionedField} by its name. A record field missing from both lists fails to compile. */
export const versionedFields = {
  bookingSystem: 'bookingSystem',
  bookingId: 'bookingId',
  bookingGuestId: 'bookingGuestId',
  activities: 'activities',
  lastVisit: 'lastVisit',
  currentPage: 'currentPage',
  validUntil: 'validUntil',
  deleted: 'deleted',
} as const satisfies { readonly [Field in VersionedField]: Field };

/** How a field changed. */
export interface FieldChange {
  readonly field: VersionedField;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** The changes of a version. */
export interface VersionChanges {
  readonly fields: readonly FieldChange[];
  readonly answers: Readonly<Record<string, AnswerChange>>;
}

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

function fieldValue(record: WaiverRecord, field: VersionedField): JsonValue {
  const value = record[field];
  return value instanceof Date ? value.toISOString() : value;
}

function answerChange(before: JsonValue | undefined, after: JsonValue | undefined): AnswerChange | undefined {
  if (after === undefined) return before === undefined ? undefined : { kind: 'removed' };
  if (before === undefined) return { kind: 'added', after };
  return isSame(before, after) ? undefined : { kind: 'changed', before, after };
}

/** The changes from one version of a record to the next. */
export function versionChanges(former: WaiverRecord, next: WaiverRecord): VersionChanges {
  const fields = Object.values(versionedFields).flatMap((field) => {
    const [before, after] = [fieldValue(former, field), fieldValue(next, field)];
    return isSame(before, after) ? [] : [{ field, before, after }];
  });
  const ownAnswer = ({ answers }: WaiverRecord, name: string) =>
    Object.hasOwn(answers, name) ? answers[name] : undefined;
  const names = new Set([...Object.keys(former.answers), ...Object.keys(next.answers)]);
  const answers = [...names].flatMap((name) => {
    const change = answerChange(ownAnswer(former, name), ownAnswer(next, name));
    return change === undefined ? [] : [[name, change] as const];
  });
  return { fields, answers: Object.fromEntries(answers) };
}
