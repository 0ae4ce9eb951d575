import {
  type BookingSystemContext,
  type BookingSystemHttp,
  isWaiverRejected,
  type PushedWaiver,
  type SignedDocument,
  type Waiver,
  type WaiverRejected,
} from '@waiver-service/core';
import { bookingSegment, type JsonObject, objectOf, Reading } from '@waiver-service/plugin-kit';
import { raiseForOcto } from './answers.ts';
import { requestBooking } from './read.ts';
import {
  type BookingChange,
  changesUnitItems,
  isEmpty,
  patchBodyOf,
  planChange,
  warnOfPart,
} from './write/booking-change.ts';
import { differences } from './write/guest-contact.ts';
import { hasFile, withDocument, withoutFile } from './write/signed-document.ts';
import { fillVendorWaiver } from './write/vendor-waiver.ts';
import { showsChange, type VerifiedChange, verifyChange } from './write/verify-change.ts';

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

/** Changes the booking. Returns the changed booking, which some systems show only in a read. */
async function patchBooking(
  http: BookingSystemHttp,
  path: string,
  change: BookingChange,
): Promise<JsonObject> {
  const response = await http.patch(path, patchBodyOf(change));
  raiseForOcto(response);
  const answer = objectOf(response.data);
  return showsChange(answer, change) ? answer : requestBooking(http, path);
}

/** Whether the system refused a change's body, rather than the account or the booking. */
const isBodyRefused = (error: unknown): error is WaiverRejected =>
  isWaiverRejected(error) && error.retry === 'three-attempts';

/** Makes a change. Returns why the waiver counts as not written, if so, and whether tickets were reissued. */
async function applyChange(
  http: BookingSystemHttp,
  path: string,
  reading: Reading,
  waiver: Waiver,
  change: BookingChange,
): Promise<VerifiedChange> {
  try {
    return verifyChange(reading, waiver, change, await patchBooking(http, path, change));
  } catch (error) {
    if (hasFile(change) && isBodyRefused(error)) {
      warnOfPart(reading, `the waiver was tried again without the signed document: ${error.message}`);
      return applyChange(http, path, reading, waiver, withoutFile(change));
    }
    // A booking that can no longer be changed may refuse the vendor's own waiver, too.
    if (change.obstacle === undefined || !isBodyRefused(error)) throw error;
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

/**
 * Writes one waiver by a GET and a PATCH: a line in the notes and, with `octo/waivers`, the vendor's own waiver with
 * the signed document. If the account allows changes to unit items, also the guest's contact. Only changes are sent.
 */
export async function pushWaiver(
  {
    http,
    settings,
    account,
  }: Pick<BookingSystemContext<WriteSettings, WriteAccount>, 'http' | 'settings' | 'account'>,
  waiver: Waiver,
  document?: SignedDocument,
): Promise<PushedWaiver> {
  const path = `bookings/${bookingSegment(waiver.bookingId, 'guest-update')}`;
  const booking = await requestBooking(http, path);
  const usesVendorWaiver = settings.waivers && !waiver.deleted;
  const vendorWaiver = usesVendorWaiver ? await fillVendorWaiver(http, booking, waiver) : undefined;
  const reading = new Reading();
  const planned = planChange(reading, booking, waiver, vendorWaiver, account.changesUnitItems);
  const change = await withDocument(planned, document);
  let withdraws: string | undefined;

  if (isEmpty(patchBodyOf(change))) {
    if (change.obstacle !== undefined) {
      return { accepted: false, reason: change.obstacle, warnings: reading.warnings };
    }
  } else {
    if (change.obstacle !== undefined) warnOfPart(reading, change.obstacle);
    const { reason, hasReissuedTickets } = await applyChange(http, path, reading, waiver, change);
    if (hasReissuedTickets) withdraws = changesUnitItems;
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings, withdraws };
  }
  warnOfRemains(reading, waiver, change, settings);
  return { accepted: true, warnings: reading.warnings, withdraws };
}
