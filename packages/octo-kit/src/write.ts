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
import { askingOnce } from './read/asking-once.ts';
import { requestBooking } from './read.ts';
import {
  type BookingChange,
  changesUnitItems,
  fillsVendorWaiver,
  isEmpty,
  patchBodyOf,
  planChange,
  warnOfPart,
} from './write/booking-change.ts';
import { differences } from './write/guest-contact.ts';
import { hasFile, waiverFileOf, withFile } from './write/signed-document.ts';
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
    const booking = await requestBooking(http, path);
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
