import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import {
  answersInNote,
  fillFields,
  type JsonObject,
  noteLineOf,
  objectOf,
  objectsIn,
  quoted,
  textOf,
  withoutNoteLines,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';
import { requestProduct, type UnitItem } from '../read/unit-items.ts';

/** The vendor's own waiver (`octo/waivers`), filled in with shared answers. */
export interface VendorWaiver {
  /** Whether it belongs to the guest's unit item rather than to the booking. */
  readonly isPerUnit: boolean;
  /** `undefined` if no shared answer fits any of its fields. */
  readonly body: JsonObject | undefined;
  /** The labels of required fields without an answer. */
  readonly missing: readonly string[];
}

// Waivers are documented only for the product endpoint; some systems include them in the booking, too.
async function productWithWaivers(http: BookingSystemHttp, booking: JsonObject): Promise<JsonObject> {
  const included = objectOf(booking.product);
  const id = textOf(booking.productId);
  if (Array.isArray(included.waivers) || id === undefined) return included;
  return (await requestProduct(http, id, { purpose: 'guest-update' })) ?? included;
}

/** Fills in the booked product's waiver with the shared answers; `undefined` if the product has no waiver. */
export async function fillVendorWaiver(
  http: BookingSystemHttp,
  booking: JsonObject,
  waiver: Waiver,
): Promise<VendorWaiver | undefined> {
  const product = await productWithWaivers(http, booking);
  const [form] = objectsIn(product.waivers);
  if (form === undefined) return undefined;
  const fields = objectsIn(form.fields).map(({ id, internalName, required, inputType }) => ({
    id,
    // A signature is a drawing, which no answer can replace.
    label: inputType === 'signature' ? 'signature (drawn)' : (textOf(internalName) ?? ''),
    isRequired: required === true,
  }));
  const { values, missing } = fillFields(waiver, fields);
  const hasAnswer = values.length > 0 || fields.length === 0;
  const waiverFieldValues = values.map(({ id, value }) => ({ fieldId: id, value }));
  return {
    isPerUnit: product.waiverPer !== 'BOOKING',
    body: hasAnswer ? { waiverId: form.id, waiverFieldValues } : undefined,
    missing,
  };
}

/** The changes that fill in the vendor's own waiver. */
interface VendorWaiverChange {
  readonly inBooking: JsonObject;
  readonly inItem: JsonObject;
  /** Why the waiver is not filled in, or only in part; `undefined` if there is nothing to report. */
  readonly warning: string | undefined;
}

const noChange = (warning?: string): VendorWaiverChange => ({ inBooking: {}, inItem: {}, warning });

/** The object to which the vendor's own waiver belongs: the guest's unit item, or the booking. */
export const placeOf = (
  { isPerUnit }: VendorWaiver,
  booking: JsonObject,
  item: JsonObject | undefined,
): JsonObject => objectOf(isPerUnit ? item : booking);

/** Compares as strings: vendors may show a number or boolean for a text that was sent. */
const isSameValue = (shown: unknown, sent: unknown): boolean =>
  typeof shown !== 'object' && String(shown) === String(sent);

/** Whether a booking or unit item shows every answer in a body. Ventrata documents no field for this. */
function showsAnswers({ waiverFieldValues }: JsonObject, body: JsonObject): boolean {
  const shown = new Map(objectsIn(waiverFieldValues).map(({ fieldId, value }) => [fieldId, value]));
  const sent = objectsIn(body.waiverFieldValues);
  return (
    sent.length > 0 &&
    sent.every(({ fieldId, value }) => shown.has(fieldId) && isSameValue(shown.get(fieldId), value))
  );
}

/** Whether the vendor's own waiver, as read back, is complete or has the values that were sent. */
export const isVendorWaiverShown = ({ body }: VendorWaiver, place: JsonObject): boolean =>
  place.waiversComplete === true || (body !== undefined && showsAnswers(place, body));

/** Says what the vendor's own waiver lacks; `undefined` if it is complete, or not known to be incomplete. */
export function incompleteness(
  { missing }: VendorWaiver,
  { waiversComplete }: JsonObject,
): string | undefined {
  if (waiversComplete === true || (waiversComplete !== false && missing.length === 0)) return undefined;
  const labels = missing.map(quoted).join(', ') || 'none';
  return `the vendor’s own waiver is not complete; answers that are not shared: ${labels}`;
}

/** Whether the notes already have this waiver's line with the same answers; the date may differ. */
function hasSameAnswers(notes: string, waiver: Waiver): boolean {
  const answers = answersInNote(notes, waiver);
  const wanted = answersInNote(noteLineOf(waiver), waiver);
  return answers !== undefined && JSON.stringify(answers) === JSON.stringify(wanted);
}

/** Whether the notes have another waiver's line. */
function hasOtherWaivers(notes: string, waiver: Waiver): boolean {
  const others = withoutOwnNoteLine(notes, waiver);
  return withoutNoteLines(others) !== others;
}

/**
 * The changes that fill in the vendor's own waiver. A complete one is left unchanged, since it may have been signed at
 * the vendor's or for another guest; so is one that already received the same answers, because sending unit items again
 * would reissue all tickets.
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
  // It may have another guest's answers, which a guest who cannot complete it must not replace.
  if (!isPerUnit && missing.length > 0 && hasOtherWaivers(notes, waiver)) {
    return noChange(
      'the vendor’s own waiver is one for the whole booking, and another guest has signed: it was left as it is',
    );
  }
  return isPerUnit ? { ...noChange(), inItem: body } : { ...noChange(), inBooking: body };
}
