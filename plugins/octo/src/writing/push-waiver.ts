import type { BookingSystemContext, BookingSystemHttp, PushedWaiver, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';
import { type UnitItem, unitItemsOf } from '../native/unit-items.ts';
import type { OctoSettings } from '../settings.ts';
import { differences, newContact, sharedContact } from './guest-contact.ts';
import { fillVendorWaiver, type VendorWaiver } from './vendor-waiver.ts';
import { refusalToSend, sideEffects, wholeUnitItems } from './whole-unit-items.ts';

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');
const isSomething = (body: object) => Object.keys(body).length > 0;

async function readBooking(http: BookingSystemHttp, path: string): Promise<kit.JsonObject> {
  const answer = await http.get(path);
  raiseForOcto(answer);
  return kit.expectObject(answer.data);
}

/** What is to be written of one waiver, and what it was worked out from. */
interface Plan {
  readonly items: readonly UnitItem[];
  readonly guest: UnitItem | undefined;
  readonly shared: Readonly<Record<string, string>>;
  readonly form: VendorWaiver | undefined;
  /** What is sent besides the unit items. */
  readonly inBooking: kit.JsonObject;
  /** What is sent in the guest's unit item. */
  readonly inItem: kit.JsonObject;
  /** Why nothing can be changed there; `undefined` where it can, or where nothing had to be. */
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
  const [shared, before] = [sharedContact(waiver), textIn(booking.notes)];
  const notes = kit.withNoteLine(before, waiver);
  const contact = guest && !waiver.deleted ? newContact(guest.value.contact, shared) : undefined;
  const core = { ...(notes !== before && { notes }), ...(contact && { contact }) };
  const mayChange = booking.cancellable !== false;
  const refusal =
    mayChange || !isSomething(core)
      ? undefined
      : 'the booking can be changed no more (it is not cancellable): note the waiver there by hand';
  const perUnit = form?.isPerUnit ? form.body : undefined;
  if (perUnit && !guest) warn('the vendor’s own waiver is per unit item, and none is named');
  if (form && !form.body) warn('the vendor’s own waiver stays empty: no answer that is shared fits into it');
  const inItem = { ...(mayChange && contact && { contact }), ...(guest && perUnit) };
  const obstacle = isSomething(inItem) ? refusalToSend(items) : undefined;
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
 * Compares what the booking system kept with what was sent, and says what it did not keep. Returns why the waiver
 * counts as not written; `undefined` where some of it stands there.
 */
function judge(warn: Warn, waiver: Waiver, plan: Plan, kept: kit.JsonObject): string | undefined {
  const { items, guest, shared, form, inBooking, inItem } = plan;
  const notes = textIn(kept.notes);
  const isNoteLost = 'notes' in inBooking && kit.withNoteLine(notes, waiver) !== notes;
  const item = unitItemsOf(new kit.Reading(), kept.unitItems).find(({ id }) => id === guest?.id)?.value;
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
  if (isSomething(inItem)) for (const effect of sideEffects(items, kept.unitItems)) warn(effect);
  const { waiversComplete } = kit.objectOf(form?.isPerUnit ? item : kept);
  const lacking = form?.missing.map(kit.quoted).join(', ') ?? '';
  if (isFormSent && (lacking !== '' || waiversComplete === false)) {
    warn(`the vendor’s own waiver is not complete; answers that are not shared: ${lacking || 'none'}`);
  }
  return undefined;
}

/**
 * Writes one waiver by one PATCH after a GET: a line in the notes, the guest's contact and, with `octo/waivers`, the
 * vendor's own waiver. Nothing that is right already is written again, and unit items are sent only where one changes:
 * a system may issue all tickets anew when it is sent them.
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
  const sayWhatStays = () => {
    if (!waiver.deleted || (!settings.waivers && !isSomething(shared))) return;
    warn('the line in the notes is gone; the guest’s contact and the vendor’s own waiver stay as they are');
  };
  const body = {
    ...inBooking,
    ...(isSomething(inItem) && { unitItems: wholeUnitItems(items, guest?.id, inItem) }),
  };
  if (!isSomething(body)) {
    if (refusal !== undefined) return { accepted: false, reason: refusal, warnings: reading.warnings };
    sayWhatStays();
    return { accepted: true, warnings: reading.warnings };
  }
  if (refusal !== undefined) warn(refusal);
  const written = await http.patch(path, body);
  raiseForOcto(written);
  const answer = kit.objectOf(written.data);
  const kept = typeof answer.uuid === 'string' ? answer : await readBooking(http, path);
  const reason = judge(warn, waiver, plan, kept);
  if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  sayWhatStays();
  return { accepted: true, warnings: reading.warnings };
}
