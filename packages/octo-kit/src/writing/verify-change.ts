import type { Waiver } from '@waiver-service/core';
import { type JsonObject, objectOf, quoted, Reading, withNoteLine } from '@waiver-service/plugin-kit';
import { unitItemsOf } from '../native/unit-items.ts';
import { type BookingChange, isEmpty, notesOf, warnOfPart } from './booking-change.ts';
import { differences } from './guest-contact.ts';
import { sideEffects } from './unit-item-list.ts';

const isVendorWaiverSent = ({ inBooking, inItem }: BookingChange) =>
  'waiverId' in inBooking || 'waiverId' in inItem;

/** Warns of the vendor's own waiver if the system still misses something of it. */
function warnOfIncompleteWaiver(
  reading: Reading,
  change: BookingChange,
  booking: JsonObject,
  item: JsonObject | undefined,
): void {
  const { vendorWaiver } = change;
  if (vendorWaiver === undefined || !isVendorWaiverSent(change)) return;
  const { waiversComplete } = objectOf(vendorWaiver.isPerUnit ? item : booking);
  const missing = vendorWaiver.missing.map(quoted).join(', ');
  if (missing === '' && waiversComplete !== false) return;
  warnOfPart(
    reading,
    `the vendor’s own waiver is not complete; answers that are not shared: ${missing || 'none'}`,
  );
}

/**
 * Compares the booking after the write with the changes that were sent, and warns of each that was not stored. Returns why
 * the waiver counts as not written; `undefined` if at least a part of it was stored.
 */
export function verifyChange(
  reading: Reading,
  waiver: Waiver,
  change: BookingChange,
  after: JsonObject,
): string | undefined {
  const { items, guest, shared, inBooking, inItem } = change;
  const notes = notesOf(after);
  const isNoteLost = 'notes' in inBooking && withNoteLine(notes, waiver) !== notes;
  const item = unitItemsOf(new Reading(), after.unitItems).find(({ id }) => id === guest?.id)?.value;
  const isContactStored =
    guest !== undefined && differences(item?.contact, shared).length < Object.keys(shared).length;
  if (isNoteLost && waiver.deleted) {
    return 'the booking system took the change and left the waiver’s line in the notes: take it out there by hand';
  }
  if (isNoteLost && !isContactStored && !isVendorWaiverSent(change)) {
    return 'the booking system took the change and kept nothing of it: note the waiver in the booking by hand';
  }

  if (isNoteLost) warnOfPart(reading, 'the booking system did not keep the line in the notes');
  const lost = differences(item?.contact, objectOf(inItem.contact));
  if (lost.length > 0) {
    warnOfPart(reading, `the booking system did not keep ${lost.join(', ')} of the guest’s contact`);
  }
  const effects = isEmpty(inItem) ? [] : sideEffects(items, after.unitItems);
  for (const effect of effects) warnOfPart(reading, effect);
  warnOfIncompleteWaiver(reading, change, after, item);
  return undefined;
}
