import type { Waiver } from '@waiver-service/core';
import { findGuest, type JsonObject, type Reading, withNoteLine } from '@waiver-service/plugin-kit';
import { type UnitItem, unitItemsOf } from '../native/unit-items.ts';
import { newContact, type SharedContact, sharedContact } from './guest-contact.ts';
import { completeUnitItems, reasonNotToSend } from './unit-item-list.ts';
import type { VendorWaiver } from './vendor-waiver.ts';

/** The changes that a waiver makes to a booking, and what they were derived from. */
export interface BookingChange {
  /** All unit items, as they were. */
  readonly items: readonly UnitItem[];
  /** The unit item of the guest who signed; `undefined` if the waiver names none, or one that the booking does not have. */
  readonly guest: UnitItem | undefined;
  readonly shared: SharedContact;
  readonly vendorWaiver: VendorWaiver | undefined;
  /** The changed fields of the booking, except its unit items. */
  readonly inBooking: JsonObject;
  /** The changed fields of the guest's unit item. */
  readonly inItem: JsonObject;
  /** Why notes and contact cannot be changed; `undefined` if they can, or if they stay as they are. */
  readonly obstacle: string | undefined;
}

export const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Warns of a part of the waiver that is not written, or not stored. */
export function warnOfPart(reading: Reading, message: string): void {
  reading.warn('waiver_partly_written', 'unitItems', message);
}

/** A booking's notes as they are, since whatever staff wrote is sent back. */
export const notesOf = ({ notes }: JsonObject): string => (typeof notes === 'string' ? notes : '');

/** Notes and contact that differ from what the waiver says. */
function coreChanges(
  booking: JsonObject,
  guest: UnitItem | undefined,
  waiver: Waiver,
  shared: SharedContact,
) {
  const former = notesOf(booking);
  const notes = withNoteLine(former, waiver);
  const contact = guest === undefined || waiver.deleted ? undefined : newContact(guest.value.contact, shared);
  return {
    inBooking: notes === former ? {} : { notes },
    inItem: contact === undefined ? {} : { contact },
  };
}

/** The vendor's own waiver, where the product wants it: in the guest's unit item, or in the booking. */
function vendorWaiverChanges(
  reading: Reading,
  vendorWaiver: VendorWaiver | undefined,
  guest: UnitItem | undefined,
): { readonly inBooking: JsonObject; readonly inItem: JsonObject } {
  if (vendorWaiver === undefined) return { inBooking: {}, inItem: {} };
  const { body, isPerUnit } = vendorWaiver;
  if (body === undefined) {
    warnOfPart(reading, 'the vendor’s own waiver stays empty: no answer that is shared fits into it');
    return { inBooking: {}, inItem: {} };
  }
  if (!isPerUnit) return { inBooking: body, inItem: {} };
  if (guest !== undefined) return { inBooking: {}, inItem: body };
  warnOfPart(reading, 'the vendor’s own waiver is per unit item, and none is named');
  return { inBooking: {}, inItem: {} };
}

/** Works out what a waiver changes in a booking; nothing if the booking already contains it. */
export function planChange(
  reading: Reading,
  booking: JsonObject,
  waiver: Waiver,
  vendorWaiver: VendorWaiver | undefined,
): BookingChange {
  const items = unitItemsOf(reading, booking.unitItems ?? []);
  reading.throwIfRefused();
  const guest = findGuest(reading, items, waiver);
  const shared = sharedContact(waiver);
  const core = coreChanges(booking, guest, waiver, shared);
  const own = vendorWaiverChanges(reading, vendorWaiver, guest);

  const mayChangeCore = booking.cancellable !== false;
  const isCoreChanged = !isEmpty(core.inBooking) || !isEmpty(core.inItem);
  const inBooking = { ...(mayChangeCore ? core.inBooking : {}), ...own.inBooking };
  const inItem = { ...(mayChangeCore ? core.inItem : {}), ...own.inItem };

  const listObstacle = isEmpty(inItem) ? undefined : reasonNotToSend(items);
  if (listObstacle !== undefined) {
    warnOfPart(reading, `the guest’s unit item was left as it is: ${listObstacle}`);
  }
  return {
    items,
    guest,
    shared,
    vendorWaiver,
    inBooking,
    inItem: listObstacle === undefined ? inItem : {},
    obstacle:
      isCoreChanged && !mayChangeCore
        ? 'the booking can be changed no more (it is not cancellable): note the waiver there by hand'
        : undefined,
  };
}

/**
 * The body of the PATCH; empty if nothing changes. Unit items are sent only if one of them changes: a system may reissue
 * all tickets whenever they are sent.
 */
export function patchBodyOf({ items, guest, inBooking, inItem }: BookingChange): JsonObject {
  if (isEmpty(inItem)) return inBooking;
  return { ...inBooking, unitItems: completeUnitItems(items, guest?.id, inItem) };
}
