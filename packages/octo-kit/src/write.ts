import {
  type BookingSystemContext,
  type BookingSystemHttp,
  isWaiverRejected,
  type PushedWaiver,
  type SignedDocument,
  type Waiver,
  type WaiverRejected,
} from '@waiver-service/core';
import {
  bookingSegment,
  type JsonObject,
  normalizeNote,
  objectOf,
  Reading,
  withNoteLine,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';
import { raiseForOcto } from './answers.ts';
import { unitItemsOf } from './read/unit-items.ts';
import { askingOnce, requestBooking } from './read.ts';
import {
  type BookingChange,
  changesUnitItems,
  fillsVendorWaiver,
  hasFile,
  isEmpty,
  notesOf,
  patchBodyOf,
  planChange,
  warnOfFile,
  warnOfPart,
  withFile,
} from './write/booking-change.ts';
import { differences, showsFile, sideEffects, waiverFileOf } from './write/unit-item-list.ts';
import {
  fillVendorWaiver,
  incompleteness,
  isVendorWaiverShown,
  placeOf,
  type VendorWaiver,
} from './write/vendor-waiver.ts';

const toWrite = { purpose: 'guest-update' } as const;

/** The vendor's own waiver that was sent; `undefined` if none was. */
const sentVendorWaiver = (change: BookingChange): VendorWaiver | undefined =>
  fillsVendorWaiver(change) ? change.vendorWaiver : undefined;

/** The guest's unit item in a response. */
const itemIn = (answer: JsonObject, { guest }: BookingChange): JsonObject | undefined =>
  unitItemsOf(new Reading(), answer.unitItems).find(({ id }) => id === guest?.id)?.value;

/** Whether a change's response contains everything that {@link verifyChange} compares. */
function showsChange(answer: JsonObject, change: BookingChange): boolean {
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
interface VerifiedChange {
  /** Why the waiver counts as not written; `undefined` if at least a part of it was stored. */
  readonly reason: string | undefined;
  readonly hasReissuedTickets: boolean;
}

/**
 * Compares the booking after the write with the changes that were sent, and warns of each part that was not stored, and
 * of each unintended change. A part that was there before counts as stored only if it is the waiver's line.
 */
function verifyChange(
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

/** The settings that a write needs. */
export interface WriteSettings {
  /** Whether to fill in the vendor's own waiver (`octo/waivers`). */
  readonly waivers: boolean;
}

/** The account fields that a write needs. */
export interface WriteAccount {
  /** Whether the list of unit items may be sent. Some systems then reissue every ticket, and drop contacts. */
  readonly changesUnitItems: boolean;
}

/** A planned change, and the warnings about it so far. */
interface Plan {
  readonly reading: Reading;
  readonly change: BookingChange;
}

/** Changes the booking. Returns the changed booking, which some systems show only in a read. */
async function patchBooking(
  http: BookingSystemHttp,
  path: string,
  change: BookingChange,
): Promise<JsonObject> {
  const response = await http.patch(path, patchBodyOf(change));
  raiseForOcto(response, toWrite);
  const answer = objectOf(response.data);
  return showsChange(answer, change) ? answer : requestBooking(http, path, toWrite);
}

/** Whether the system refused a change's body, rather than the account or the booking. */
const isBodyRefused = (error: unknown): error is WaiverRejected =>
  isWaiverRejected(error) && error.retry === 'three-attempts';

/** Makes a change. Returns why the waiver counts as not written, if so, and whether tickets were reissued. */
async function applyChange(
  http: BookingSystemHttp,
  path: string,
  waiver: Waiver,
  { reading, change }: Plan,
): Promise<VerifiedChange> {
  try {
    return verifyChange(reading, waiver, change, await patchBooking(http, path, change));
  } catch (error) {
    // A booking that can no longer be changed may refuse the vendor's own waiver, too. With a file, it may have refused
    // only that: the caller tries again without it.
    if (hasFile(change) || change.obstacle === undefined || !isBodyRefused(error)) throw error;
    warnOfPart(reading, error.message);
    return { reason: change.obstacle, hasReissuedTickets: false };
  }
}

/** Warns that a void removed only the line in the notes, if other parts of the waiver may remain. */
function warnOfRemains(
  reading: Reading,
  waiver: Waiver,
  { shared, guest }: BookingChange,
  settings: WriteSettings,
) {
  const hasShared = differences(guest?.value.contact, shared).length < Object.keys(shared).length;
  const mayRemain = settings.waivers || hasShared;
  if (!waiver.deleted || !mayRemain) return;
  warnOfPart(
    reading,
    'the line in the notes is gone; the guest’s contact and the vendor’s own waiver with its document stay as they are',
  );
}

type Context = Pick<BookingSystemContext<WriteSettings, WriteAccount>, 'http' | 'settings' | 'account'>;

/** Returns a function that reads the booking and plans the change from it. It requests a product only once. */
function planner({ http, settings, account }: Context, path: string, waiver: Waiver): () => Promise<Plan> {
  const products = askingOnce(http);
  return async () => {
    const booking = await requestBooking(http, path, toWrite);
    const usesVendorWaiver = settings.waivers && !waiver.deleted;
    const vendorWaiver = usesVendorWaiver ? await fillVendorWaiver(products, booking, waiver) : undefined;
    const reading = new Reading();
    const change = planChange(reading, booking, waiver, vendorWaiver, account.changesUnitItems);
    return { reading, change };
  };
}

/** Writes a planned change, if it changes anything. */
async function writePlan(
  { http, settings }: Context,
  path: string,
  waiver: Waiver,
  plan: Plan,
): Promise<PushedWaiver> {
  const { reading, change } = plan;
  let withdraws: string | undefined;

  if (isEmpty(patchBodyOf(change))) {
    if (change.obstacle !== undefined) {
      return { accepted: false, reason: change.obstacle, warnings: reading.warnings };
    }
  } else {
    if (change.obstacle !== undefined) warnOfPart(reading, change.obstacle);
    const { reason, hasReissuedTickets } = await applyChange(http, path, waiver, plan);
    if (hasReissuedTickets) withdraws = changesUnitItems;
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings, withdraws };
  }
  warnOfRemains(reading, waiver, change, settings);
  return { accepted: true, warnings: reading.warnings, withdraws };
}

/**
 * Writes one waiver by a GET and a PATCH: a line in the notes and, with `octo/waivers`, the vendor's own waiver with
 * the signed document. If the account allows changes to unit items, also the guest's contact. Only changes are sent,
 * always into the booking as it was last read: notes and unit items are replaced as a whole, so an older booking would
 * undo what staff changed while the document was made, or while a request with it was refused.
 */
export async function pushWaiver(
  context: Context,
  waiver: Waiver,
  document?: SignedDocument,
): Promise<PushedWaiver> {
  const path = `bookings/${bookingSegment(waiver.bookingId, 'guest-update')}`;
  const planNow = planner(context, path, waiver);
  const write = (plan: Plan) => writePlan(context, path, waiver, plan);
  const planned = await planNow();
  if (document === undefined || !fillsVendorWaiver(planned.change)) return write(planned);

  const waiverFile = await waiverFileOf(document);
  // A document that could not be made may have taken just as long.
  const { reading, change: withoutFile } = await planNow();
  const change = waiverFile === undefined ? withoutFile : withFile(withoutFile, waiverFile);
  try {
    return await write({ reading, change });
  } catch (error) {
    if (!hasFile(change) || !isBodyRefused(error)) throw error;
    const plannedAgain = await planNow();
    warnOfPart(
      plannedAgain.reading,
      `the waiver was tried again without the signed document: ${error.message}`,
    );
    return write(plannedAgain);
  }
}
