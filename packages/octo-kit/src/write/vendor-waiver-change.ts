import type { Waiver } from '@waiver-service/core';
import {
  answersInNote,
  type JsonObject,
  noteLineOf,
  objectOf,
  objectsIn,
  quoted,
  withoutNoteLines,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';
import type { UnitItem } from '../read/unit-items.ts';
import type { VendorWaiver } from './vendor-waiver.ts';

/** The changes that fill the vendor's own waiver. */
export interface VendorWaiverChange {
  readonly inBooking: JsonObject;
  readonly inItem: JsonObject;
  /** Why it is not filled, or not completely; `undefined` if there is nothing to tell. */
  readonly warning: string | undefined;
}

const noChange = (warning?: string): VendorWaiverChange => ({ inBooking: {}, inItem: {}, warning });

/** The object that the vendor's own waiver belongs to: the guest's unit item, or the booking. */
export const placeOf = (
  { isPerUnit }: VendorWaiver,
  booking: JsonObject,
  item: JsonObject | undefined,
): JsonObject => objectOf(isPerUnit ? item : booking);

/** Vendors may show a number or a boolean where a text was sent. */
const isSameValue = (shown: unknown, sent: unknown): boolean =>
  typeof shown !== 'object' && String(shown) === String(sent);

/** Whether a booking or a unit item shows each of the answers of a body. Ventrata documents no field that does. */
function showsAnswers({ waiverFieldValues }: JsonObject, body: JsonObject): boolean {
  const shown = new Map(objectsIn(waiverFieldValues).map(({ fieldId, value }) => [fieldId, value]));
  const sent = objectsIn(body.waiverFieldValues);
  return (
    sent.length > 0 &&
    sent.every(({ fieldId, value }) => shown.has(fieldId) && isSameValue(shown.get(fieldId), value))
  );
}

/** Whether the vendor's own waiver, read back, has the values that were sent. */
export const isVendorWaiverShown = ({ body }: VendorWaiver, place: JsonObject): boolean =>
  place.waiversComplete === true || (body !== undefined && showsAnswers(place, body));

/** Tells of a vendor's own waiver that misses something; `undefined` if it is complete, or not known to be incomplete. */
export function incompleteness(
  { missing }: VendorWaiver,
  { waiversComplete }: JsonObject,
): string | undefined {
  if (waiversComplete === true || (waiversComplete !== false && missing.length === 0)) return undefined;
  const labels = missing.map(quoted).join(', ') || 'none';
  return `the vendor’s own waiver is not complete; answers that are not shared: ${labels}`;
}

/** Whether the notes already have this waiver's line, with the same answers; its date may be another. */
function hasSameAnswers(notes: string, waiver: Waiver): boolean {
  const answers = answersInNote(notes, waiver);
  const wanted = answersInNote(noteLineOf(waiver), waiver);
  return answers !== undefined && JSON.stringify(answers) === JSON.stringify(wanted);
}

/** Whether the notes have the line of another waiver. */
function hasOtherWaivers(notes: string, waiver: Waiver): boolean {
  const others = withoutOwnNoteLine(notes, waiver);
  return withoutNoteLines(others) !== others;
}

/**
 * The changes that fill the vendor's own waiver. A complete one is left as it is, since it may have been signed at the
 * vendor's or for another guest, and so is one that already got the same answers: sending unit items again would reissue
 * all tickets.
 */
export function vendorWaiverChange(
  vendorWaiver: VendorWaiver | undefined,
  booking: JsonObject,
  guest: UnitItem | undefined,
  notes: string,
  waiver: Waiver,
): VendorWaiverChange {
  if (vendorWaiver === undefined) return noChange();
  const { body, isPerUnit, missing } = vendorWaiver;
  const place = placeOf(vendorWaiver, booking, guest?.value);
  const isComplete = place.waiversComplete === true;
  if (body === undefined) {
    return noChange(
      isComplete ? undefined : 'the vendor’s own waiver stays empty: no answer that is shared fits into it',
    );
  }
  if (isPerUnit && guest === undefined) {
    return noChange('the vendor’s own waiver is per unit item, and none is named');
  }
  if (showsAnswers(place, body) || hasSameAnswers(notes, waiver)) {
    return noChange(incompleteness(vendorWaiver, place));
  }
  if (isComplete) {
    return noChange('the vendor’s own waiver was complete already: it was left as it is');
  }
  // Nothing tells whose answers it has; a guest who cannot complete it must not replace those of another one.
  if (!isPerUnit && missing.length > 0 && hasOtherWaivers(notes, waiver)) {
    return noChange(
      'the vendor’s own waiver is one for the whole booking, and another guest has signed: it was left as it is',
    );
  }
  return isPerUnit ? { ...noChange(), inItem: body } : { ...noChange(), inBooking: body };
}
