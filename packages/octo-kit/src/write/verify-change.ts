import type { Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  normalizeNote,
  objectOf,
  Reading,
  withNoteLine,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';
import { unitItemsOf } from '../read/unit-items.ts';
import { type BookingChange, fillsVendorWaiver, isEmpty, notesOf, warnOfPart } from './booking-change.ts';
import { differences } from './guest-contact.ts';
import { hasFile, showsFile, warnOfFile } from './signed-document.ts';
import { sideEffects } from './unit-item-list.ts';
import type { VendorWaiver } from './vendor-waiver.ts';
import { incompleteness, isVendorWaiverShown, placeOf } from './vendor-waiver-change.ts';

/** The vendor's own waiver that was sent; `undefined` if none was. */
const sentVendorWaiver = (change: BookingChange): VendorWaiver | undefined =>
  fillsVendorWaiver(change) ? change.vendorWaiver : undefined;

/** The guest's unit item in a response. */
const itemIn = (answer: JsonObject, { guest }: BookingChange): JsonObject | undefined =>
  unitItemsOf(new Reading(), answer.unitItems).find(({ id }) => id === guest?.id)?.value;

/** Whether a change's response contains everything that {@link verifyChange} compares. */
export function showsChange(answer: JsonObject, change: BookingChange): boolean {
  if (typeof answer.uuid !== 'string' || notesOf(answer) === undefined) return false;
  if (!isEmpty(change.inItem) && !Array.isArray(answer.unitItems)) return false;
  const sent = sentVendorWaiver(change);
  if (sent === undefined) return true;
  const place = placeOf(sent, answer, itemIn(answer, change));
  return typeof place.waiversComplete === 'boolean' && (!hasFile(change) || showsFile(place));
}

/** Whether any of the intended changes to the guest's contact was stored. */
function isContactStored({ guest, shared, inItem }: BookingChange, item: JsonObject | undefined): boolean {
  if (!('contact' in inItem)) return false;
  const lost = differences(item?.contact, shared);
  return differences(guest?.value.contact, shared).some((name) => !lost.includes(name));
}

/** Warns if the vendor's own waiver is incomplete, or is not shown. */
function warnOfWaiver(reading: Reading, sent: VendorWaiver, place: JsonObject): void {
  const missing = incompleteness(sent, place);
  if (missing !== undefined) warnOfPart(reading, missing);
  else if (!isVendorWaiverShown(sent, place)) {
    warnOfPart(reading, 'the booking system does not show whether it kept the vendor’s own waiver');
  }
}

/** Warns if the notes have lost or changed any text besides the waiver's line: staff may have written it. */
function warnOfOtherText(
  reading: Reading,
  waiver: Waiver,
  { notes: former }: BookingChange,
  after: JsonObject,
): void {
  const notes = notesOf(after);
  const otherTextOf = (text: string) => normalizeNote(withoutOwnNoteLine(text, waiver));
  if (notes === undefined || otherTextOf(notes) === otherTextOf(former)) return;
  warnOfPart(
    reading,
    'the text in the notes besides the waiver’s line is not as it was before the change: some of what staff wrote may be missing, so look at the notes there',
  );
}

/** The result of comparing a booking with the change that was sent. */
export interface VerifiedChange {
  /** Why the waiver counts as not written; `undefined` if at least a part of it was stored. */
  readonly reason: string | undefined;
  readonly hasReissuedTickets: boolean;
}

/**
 * Compares the booking after the write with the changes that were sent, and warns of each part that was not stored, and
 * of each unintended change. A part that was there before counts as stored only if it is the waiver's line.
 */
export function verifyChange(
  reading: Reading,
  waiver: Waiver,
  change: BookingChange,
  after: JsonObject,
): VerifiedChange {
  const reason = compare(reading, waiver, change, after);
  warnOfOtherText(reading, waiver, change, after);
  const { items, guest, inItem } = change;
  const { hasReissuedTickets, effects } = isEmpty(inItem)
    ? { hasReissuedTickets: false, effects: [] }
    : sideEffects(items, after.unitItems, guest?.id);
  for (const effect of effects) warnOfPart(reading, effect);
  return { reason, hasReissuedTickets };
}

/** Warns of each part that was not stored. Returns why the waiver counts as not written. */
function compare(
  reading: Reading,
  waiver: Waiver,
  change: BookingChange,
  after: JsonObject,
): string | undefined {
  const { inItem, obstacle } = change;
  const notes = notesOf(after);
  const isNoteRight = notes !== undefined && withNoteLine(notes, waiver) === notes;
  if (!isNoteRight && waiver.deleted) {
    return 'the booking system took the change and left the waiver’s line in the notes: take it out there by hand';
  }
  const item = itemIn(after, change);
  const sent = sentVendorWaiver(change);
  const place = sent === undefined ? {} : placeOf(sent, after, item);
  const isWaiverStored = sent !== undefined && isVendorWaiverShown(sent, place);
  if (!isNoteRight && !isContactStored(change, item) && !isWaiverStored) {
    return 'the booking system took the change and kept nothing of it: note the waiver in the booking by hand';
  }

  if (!isNoteRight && obstacle === undefined) {
    warnOfPart(reading, 'the booking system did not keep the line in the notes');
  }
  const lost = differences(item?.contact, objectOf(inItem.contact));
  if (lost.length > 0) {
    warnOfPart(reading, `the booking system did not keep ${lost.join(', ')} of the guest’s contact`);
  }
  if (sent !== undefined) {
    warnOfWaiver(reading, sent, place);
    warnOfFile(reading, change, place);
  }
  return undefined;
}
