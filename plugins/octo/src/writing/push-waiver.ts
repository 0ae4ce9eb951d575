import type { BookingSystemContext, BookingSystemHttp, PushedWaiver, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';
import { type UnitItem, unitItemsOf } from '../native/unit-items.ts';
import type { OctoSettings } from '../settings.ts';
import { completeUnitItems, reasonNotToSend, sideEffects } from './complete-unit-items.ts';
import { differences, newContact, sharedContact } from './guest-contact.ts';
import { fillVendorWaiver, type VendorWaiver } from './vendor-waiver.ts';

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');
const isNonEmpty = (body: object) => Object.keys(body).length > 0;

async function readBooking(http: BookingSystemHttp, path: string): Promise<kit.JsonObject> {
  const answer = await http.get(path);
  raiseForOcto(answer);
  return kit.expectObject(answer.data);
}

/** The changes to write for one waiver, and the values they were derived from. */
interface Plan {
  readonly items: readonly UnitItem[];
  readonly guest: UnitItem | undefined;
  readonly shared: Readonly<Record<string, string>>;
  readonly form: VendorWaiver | undefined;
  /** The changes to the booking, except unit items. */
  readonly inBooking: kit.JsonObject;
  /** The changes to the guest's unit item. */
  readonly inItem: kit.JsonObject;
  /** Why the booking cannot be changed; `undefined` if it can, or if nothing has to change. */
  readonly refusal: string | undefined;
}

type Warn = (message: string) => void;

function planWrite(
  reading: kit.Reading,
  warn: Warn,
  booking: kit.JsonObject,
  form: VendorWaiver | undefined,
  waiver: Waiver,
): Plan {
  const items = unitItemsOf(reading, booking.unitItems ?? []);
  reading.throwIfRefused();
  const guest = kit.findGuest(reading, items, waiver);
  const shared = sharedContact(waiver);
  const before = textOrEmpty(booking.notes);
  const notes = kit.withNoteLine(before, waiver);
  const contact = guest && !waiver.deleted ? newContact(guest.value.contact, shared) : undefined;
  const core = { ...(notes !== before && { notes }), ...(contact && { contact }) };
  const mayChange = booking.cancellable !== false;
  const refusal =
    mayChange || !isNonEmpty(core)
      ? undefined
      : 'the booking can be changed no more (it is not cancellable): note the waiver there by hand';
  const perUnit = form?.isPerUnit ? form.body : undefined;
  if (perUnit && !guest) warn('the vendor’s own waiver is per unit item, and none is named');
  if (form && !form.body) warn('the vendor’s own waiver stays empty: no answer that is shared fits into it');
  const inItem = { ...(mayChange && contact && { contact }), ...(guest && perUnit) };
  const obstacle = isNonEmpty(inItem) ? reasonNotToSend(items) : undefined;
  if (obstacle !== undefined) warn(`the guest’s unit item was left as it is: ${obstacle}`);
  return {
    items,
    guest,
    shared,
    form,
    inBooking: {
      ...(mayChange && notes !== before && { notes }),
      ...(form?.isPerUnit === false && form.body),
    },
    inItem: obstacle === undefined ? inItem : {},
    refusal,
  };
}

/**
 * Compares the booking after the write with the changes that were sent, and warns of each that was not stored. Returns why
 * the waiver counts as not written; `undefined` if at least a part of it was stored.
 */
function verifyWrite(warn: Warn, waiver: Waiver, plan: Plan, after: kit.JsonObject): string | undefined {
  const { items, guest, shared, form, inBooking, inItem } = plan;
  const notes = textOrEmpty(after.notes);
  const isNoteLost = 'notes' in inBooking && kit.withNoteLine(notes, waiver) !== notes;
  const item = unitItemsOf(new kit.Reading(), after.unitItems).find(({ id }) => id === guest?.id)?.value;
  const isFormSent = 'waiverId' in inBooking || 'waiverId' in inItem;
  const isContactThere =
    guest !== undefined && differences(item?.contact, shared).length < Object.keys(shared).length;
  if (isNoteLost && waiver.deleted) {
    return 'the booking system took the change and left the waiver’s line in the notes: take it out there by hand';
  }
  if (isNoteLost && !isContactThere && !isFormSent) {
    return 'the booking system took the change and kept nothing of it: note the waiver in the booking by hand';
  }
  if (isNoteLost) warn('the booking system did not keep the line in the notes');
  const lost = differences(item?.contact, kit.objectOf(inItem.contact));
  if (lost.length > 0) warn(`the booking system did not keep ${lost.join(', ')} of the guest’s contact`);
  if (isNonEmpty(inItem)) for (const effect of sideEffects(items, after.unitItems)) warn(effect);
  const { waiversComplete } = kit.objectOf(form?.isPerUnit ? item : after);
  const missing = form?.missing.map(kit.quoted).join(', ') ?? '';
  if (isFormSent && (missing !== '' || waiversComplete === false)) {
    warn(`the vendor’s own waiver is not complete; answers that are not shared: ${missing || 'none'}`);
  }
  return undefined;
}

/**
 * Writes one waiver by a GET and a PATCH: a line in the notes, the guest's contact and, with `octo/waivers`, the vendor's
 * own waiver. Only changes are sent, and unit items only if one of them changes: a system may reissue all tickets whenever
 * unit items are sent.
 */
export async function pushWaiver(
  { http, settings }: Pick<BookingSystemContext<OctoSettings>, 'http' | 'settings'>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${kit.bookingSegment(waiver.bookingId, 'guest-update')}`;
  const booking = await readBooking(http, path);
  const reading = new kit.Reading();
  const warn = (message: string) => reading.warn('waiver_partly_written', 'unitItems', message);
  const hasForm = settings.waivers && !waiver.deleted;
  const form = hasForm ? await fillVendorWaiver(http, booking, waiver) : undefined;
  const plan = planWrite(reading, warn, booking, form, waiver);
  const { items, guest, shared, inBooking, inItem, refusal } = plan;
  const warnOfRemains = () => {
    if (!waiver.deleted || (!settings.waivers && !isNonEmpty(shared))) return;
    warn('the line in the notes is gone; the guest’s contact and the vendor’s own waiver stay as they are');
  };
  const body = {
    ...inBooking,
    ...(isNonEmpty(inItem) && { unitItems: completeUnitItems(items, guest?.id, inItem) }),
  };
  if (!isNonEmpty(body)) {
    if (refusal !== undefined) return { accepted: false, reason: refusal, warnings: reading.warnings };
    warnOfRemains();
    return { accepted: true, warnings: reading.warnings };
  }
  if (refusal !== undefined) warn(refusal);
  const response = await http.patch(path, body);
  raiseForOcto(response);
  const answer = kit.objectOf(response.data);
  const after = typeof answer.uuid === 'string' ? answer : await readBooking(http, path);
  const reason = verifyWrite(warn, waiver, plan, after);
  if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  warnOfRemains();
  return { accepted: true, warnings: reading.warnings };
}
