import { type Waiver, WaiverRejected } from '@waiver-service/core';
import {
  type JsonObject,
  kindOf,
  noteMarkerOf,
  objectsIn,
  ownNoteLines,
  percentEncode,
  quoted,
  textOf,
  withNoteLine,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';

/*
 * A person may take part in several bookings, and a waiver that moves from one to another is written to both at the same
 * time. So a line names the waiver and its booking, as `[waiver <id>@<bookingId>]`, and a booking's void leaves the line
 * of another booking alone. Earlier versions of this plugin wrote `[waiver <id>]`: an old line.
 */

/** Whether a custom field is the one for waivers; `waiverField` is its name or its id. */
export const isWaiverField = ({ id, name }: JsonObject, waiverField: string): boolean =>
  [id, name].some((one) => textOf(one)?.toLowerCase() === waiverField.toLowerCase());

/** The field's text; empty if absent. Throws WaiverRejected for another kind of value: it must not be overwritten. */
function textIn({ value = null }: JsonObject, waiverField: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const message = `the custom field ${quoted(waiverField)} of a person in the booking is ${kindOf(value)}, not a text: make it a multi-line text field in Bookeo`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

const fieldOf = (person: JsonObject, waiverField: string): JsonObject =>
  objectsIn(person.customFields).find((one) => isWaiverField(one, waiverField)) ?? { name: waiverField };

/**
 * Percent-encoded ids contain neither `@` nor `]`, so this is no other waiver's or booking's marker, nor that of an old
 * line. The booking's id is the waiver's, not the one that Bookeo shows: if a waiver ever moved between two ids of one
 * booking, the void of the former must not remove the line of the latter.
 */
const markerOf = ({ id, bookingId }: Waiver) => `[waiver ${percentEncode(id)}@${percentEncode(bookingId)}]`;

/** {@link withNoteLine}, with the booking in the marker. The kit has only a waiver's id there, which has no U+0000. */
function withBookingsLine(text: string, waiver: Waiver): string {
  const named = { ...waiver, id: `${waiver.id}\0${waiver.bookingId}` };
  const [marker, kitMarker] = [markerOf(waiver), noteMarkerOf(named)];
  return withNoteLine(text.replaceAll(marker, kitMarker), named).replaceAll(kitMarker, marker);
}

/** The text with the waiver's old line, if there is one, renewed as a line of its booking in the same position. */
function withOldLineRenewed(text: string, waiver: Waiver): string {
  if (ownNoteLines(text, waiver).length === 0) return text;
  const renewed = withNoteLine(text, waiver);
  return ownNoteLines(renewed, waiver).reduce(
    (changed, line) => changed.replace(line, () => line.replace(noteMarkerOf(waiver), markerOf(waiver))),
    renewed,
  );
}

// The first version wrote "signed" for "updated".
const dayIn = (line: string) => /^\[\S+ \S+ (?:updated|signed) (\d{4}-\d{2}-\d{2})/.exec(line)?.[1];

/**
 * Whether an old line may be that of another booking, to which the waiver has moved. One from a day before the void is
 * not: it is of an earlier version, when the waiver was still in the voided booking, or in a former one.
 */
function isUnclear(line: string, { updatedAt }: Waiver): boolean {
  const day = dayIn(line);
  return day === undefined || day >= updatedAt.slice(0, 10);
}

/** A void removes no old line that is unclear; an update replaces any, since a waiver has only one booking. */
const withoutOldLine = (text: string, waiver: Waiver): string =>
  waiver.deleted && ownNoteLines(text, waiver).some((line) => isUnclear(line, waiver))
    ? text
    : withoutOwnNoteLine(text, waiver);

/** Whether a person has an old line that a void cannot remove, since it may be of another booking. */
export const hasUnclearLine = (person: JsonObject, waiverField: string, waiver: Waiver): boolean =>
  ownNoteLines(textIn(fieldOf(person, waiverField), waiverField), waiver).some((line) =>
    isUnclear(line, waiver),
  );

/** A person's text in the waiver field, without any line of the waiver for its booking, nor an old one. */
export const textBesides = (person: JsonObject, waiverField: string, waiver: Waiver): string =>
  withBookingsLine(withoutOwnNoteLine(textIn(fieldOf(person, waiverField), waiverField), waiver), {
    ...waiver,
    deleted: true,
  });

/**
 * A person's custom fields with the waiver's line updated, or removed by a void and from a person who does not hold its
 * place; `undefined` if nothing changes.
 */
export function withWaiver(
  person: JsonObject,
  waiverField: string,
  waiver: Waiver,
  isHolder = true,
): readonly JsonObject[] | undefined {
  const field = fieldOf(person, waiverField);
  const before = textIn(field, waiverField);
  const hasLine = isHolder && !waiver.deleted;
  const cleared = hasLine ? withOldLineRenewed(before, waiver) : withoutOldLine(before, waiver);
  const value = withBookingsLine(cleared, { ...waiver, deleted: !hasLine });
  if (value === before) return undefined;
  return [...objectsIn(person.customFields).filter((one) => one !== field), { ...field, value }];
}
