import {
  type BookedSession,
  type Booking,
  type Contact,
  type Guest,
  readDateTime,
  statusGroups,
} from '@waiver-service/core';
import type { JsonObject } from './json.ts';

/*
 * The fast path. Nearly every part of a booking conforms exactly, and is kept without being rebuilt. A part that is
 * accepted here must pass its published schema, and the tolerant reader must return the same value for it:
 * test/exact-parts.test.ts verifies both.
 */

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';
const isNonEmptyText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isNamedPerson = ({ name, email, phoneNumber }: JsonObject) =>
  isNonEmptyText(name) && isTextOrAbsent(email) && isTextOrAbsent(phoneNumber);

// The years that `readDateTime` accepts. Only whether a year has a February 29 remains to be checked.
const exactUtc =
  /^(?:19|20|21)\d\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** UTC, ISO 8601, with `Z`. */
export function isExactDateTime(value: unknown): value is string {
  if (typeof value !== 'string' || !exactUtc.test(value)) return false;
  return !value.startsWith('02-29', 5) || readDateTime(value).kind === 'utc';
}

/** A contact with a name (2.2). */
export const isExactContact = (value: JsonObject): value is JsonObject & Contact => isNamedPerson(value);

/** A guest with a name, whose id, if any, is `id` (2.4). */
export const isExactGuest = (value: JsonObject): value is JsonObject & Guest =>
  isTextOrAbsent(value.id) && value.id !== '' && value.guestId === undefined && isNamedPerson(value);

/** A guest with a name, whose id is `guestId` (9). */
export const isExactLegacyGuest = (
  value: JsonObject,
): value is JsonObject & Guest & { readonly guestId: string } =>
  typeof value.guestId === 'string' && value.guestId !== '' && value.id === undefined && isNamedPerson(value);

/** A session of the current form, with all its fields (2.3). */
export const isExactSession = (value: JsonObject): value is JsonObject & BookedSession =>
  isExactDateTime(value.startsAt) &&
  isExactDateTime(value.endsAt) &&
  typeof value.activityId === 'string' &&
  typeof value.activityName === 'string';

/** An activity of the legacy form, without a field that would collide with one of its session's (9). */
export const isExactActivity = (
  value: JsonObject,
): value is JsonObject & { readonly activity: string; readonly activityId: string } =>
  typeof value.activity === 'string' &&
  typeof value.activityId === 'string' &&
  value.activityName === undefined &&
  value.startsAt === undefined &&
  value.endsAt === undefined;

/** The scalar fields of a booking, the same in both forms (2.1). */
export const hasExactFields = (
  value: JsonObject,
): value is JsonObject & Pick<Booking, 'id' | 'status' | 'pax' | 'notes' | 'statusGroup'> =>
  typeof value.id === 'string' &&
  value.id !== '' &&
  typeof value.status === 'string' &&
  Number.isSafeInteger(value.pax) &&
  Number(value.pax) >= 0 &&
  isTextOrAbsent(value.notes) &&
  (value.statusGroup === undefined || statusGroups.some((group) => group === value.statusGroup));
