import { type Waiver, WaiverRejected } from '@waiver-service/core';
import { findGuest, type JsonObject, kindOf, type Reading, withNoteLine } from '@waiver-service/plugin-kit';
import { type UnitItem, unitItemsOf } from '../read/unit-items.ts';
import {
  completeUnitItems,
  newContact,
  reasonNotToSend,
  reasonToSpareWaivers,
  type SharedContact,
  sharedContact,
  showsFile,
} from './unit-item-list.ts';
import { type VendorWaiver, vendorWaiverChange } from './vendor-waiver.ts';

/** The changes that a waiver makes to a booking, and their basis. */
export interface BookingChange {
  /** The notes before the change. */
  readonly notes: string;
  /** All unit items before the change. */
  readonly items: readonly UnitItem[];
  /** The signer's unit item; `undefined` if the waiver names none, or one that the booking does not have. */
  readonly guest: UnitItem | undefined;
  readonly shared: SharedContact;
  readonly vendorWaiver: VendorWaiver | undefined;
  /** The changed fields of the booking, except its unit items. */
  readonly inBooking: JsonObject;
  /** The changed fields of the guest's unit item. */
  readonly inItem: JsonObject;
  /** Why notes and contact cannot be changed; `undefined` if they can, or need not be. */
  readonly obstacle: string | undefined;
}

/** Whether a change fills in the vendor's own waiver. */
export const fillsVendorWaiver = ({ inBooking, inItem }: BookingChange): boolean =>
  'waiverId' in inBooking || 'waiverId' in inItem;

export const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Warns of a part of the waiver that was not written or not stored. */
export function warnOfPart(reading: Reading, message: string): void {
  reading.warn('waiver_partly_written', 'unitItems', message);
}

/** Whether a change sends a file. */
export const hasFile = ({ inBooking, inItem }: BookingChange): boolean =>
  'waiverFile' in inBooking || 'waiverFile' in inItem;

/** Adds a file to the vendor's own waiver, if the change fills it in. */
export function withFile(change: BookingChange, waiverFile: string): BookingChange {
  if (!fillsVendorWaiver(change)) return change;
  const { inBooking, inItem } = change;
  return 'waiverId' in inItem
    ? { ...change, inItem: { ...inItem, waiverFile } }
    : { ...change, inBooking: { ...inBooking, waiverFile } };
}

/** Warns if a file was sent but is not shown. */
export function warnOfFile(reading: Reading, change: BookingChange, place: JsonObject): void {
  if (!hasFile(change) || showsFile(place)) return;
  warnOfPart(reading, 'the booking system does not show whether it kept the signed document');
}

/** A booking's notes, unmodified, because they are sent back with what staff wrote; `undefined` if not shown. */
export function notesOf({ notes }: JsonObject): string | undefined {
  if (notes === null) return '';
  return typeof notes === 'string' ? notes : undefined;
}

function readableNotesOf(booking: JsonObject): string {
  const notes = notesOf(booking);
  if (notes !== undefined) return notes;
  // Overwriting notes that our key may not read would destroy what staff wrote.
  const message = `the booking has notes that are ${kindOf(booking.notes)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

/** The changes to notes and contact that the waiver requires. */
function coreChanges(
  former: string,
  guest: UnitItem | undefined,
  waiver: Waiver,
  shared: SharedContact,
  mayChangeItems: boolean,
) {
  const notes = withNoteLine(former, waiver);
  const keepsContact = guest === undefined || waiver.deleted || !mayChangeItems;
  const contact = keepsContact ? undefined : newContact(guest.value.contact, shared);
  return {
    inBooking: notes === former ? {} : { notes },
    inItem: contact === undefined ? {} : { contact },
  };
}

/** The permission to send the list of unit items. */
export const changesUnitItems = 'changesUnitItems';

/** Why the unit items cannot be sent. Changing only a contact is not worth risking guests' vendor waivers. */
function obstacleOfList(
  items: readonly UnitItem[],
  inItem: JsonObject,
  vendorWaiver: VendorWaiver | undefined,
  mayChangeItems: boolean,
): string | undefined {
  if (!mayChangeItems) {
    return `the account information of the installation does not allow changes of unit items (${changesUnitItems})`;
  }
  const isContactAlone = vendorWaiver?.isPerUnit === true && !('waiverId' in inItem);
  return reasonNotToSend(items) ?? (isContactAlone ? reasonToSpareWaivers(items) : undefined);
}

/** Computes a waiver's changes to a booking; none if the booking already contains it. */
export function planChange(
  reading: Reading,
  booking: JsonObject,
  waiver: Waiver,
  vendorWaiver: VendorWaiver | undefined,
  mayChangeItems: boolean,
): BookingChange {
  const items = unitItemsOf(reading, booking.unitItems ?? []);
  reading.throwIfRefused();
  const notes = readableNotesOf(booking);
  const guest = findGuest(reading, items, waiver);
  const shared = sharedContact(waiver);
  const core = coreChanges(notes, guest, waiver, shared, mayChangeItems);
  const own = vendorWaiverChange(vendorWaiver, booking, guest, notes, waiver);
  if (own.warning !== undefined) warnOfPart(reading, own.warning);

  const mayChangeCore = booking.cancellable !== false;
  const isCoreChanged = !isEmpty(core.inBooking) || !isEmpty(core.inItem);
  const inBooking = { ...(mayChangeCore ? core.inBooking : {}), ...own.inBooking };
  const inItem = { ...(mayChangeCore ? core.inItem : {}), ...own.inItem };

  const listObstacle = isEmpty(inItem)
    ? undefined
    : obstacleOfList(items, inItem, vendorWaiver, mayChangeItems);
  if (listObstacle !== undefined) {
    warnOfPart(reading, `the guest’s unit item was left as it is: ${listObstacle}`);
  }
  return {
    notes,
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
 * The body of the PATCH; empty if nothing changes. Unit items are sent only if one of them changes, because a system
 * may reissue all tickets whenever it receives them.
 */
export function patchBodyOf({ items, guest, inBooking, inItem }: BookingChange): JsonObject {
  if (isEmpty(inItem)) return inBooking;
  return { ...inBooking, unitItems: completeUnitItems(items, guest?.id, inItem) };
}
