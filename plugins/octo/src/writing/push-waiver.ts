import type { BookingSystemContext, PushedWaiver, Waiver } from '@waiver-service/core';
import { WaiverRejected } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';
import { unitItemsOf } from '../native/unit-items.ts';
import type { OctoSettings } from '../settings.ts';
import { fillVendorWaiver } from './vendor-waiver.ts';

function sharedContact(waiver: Waiver): kit.JsonObject {
  const [fullName, emailAddress, phoneNumber] = ['name', 'email', 'phoneNumber'].map((name) =>
    kit.answerForField(waiver, name),
  );
  // A first and last name beside another full name would be somebody else's.
  const names = fullName === undefined ? {} : { firstName: null, lastName: null };
  return { ...names, ...kit.filledFields({ fullName, emailAddress, phoneNumber }) };
}

/**
 * Writes one waiver by one PATCH after a GET: a line in the notes, the guest's contact and, with `octo/waivers`, the
 * vendor's own waiver. Nothing that is right already is written again.
 */
export async function pushWaiver(
  { http, settings }: BookingSystemContext<OctoSettings>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${kit.bookingSegment(waiver.bookingId, 'guest-update')}`;
  const read = await http.get(path);
  raiseForOcto(read);
  const booking = kit.expectObject(read.data);
  const reading = new kit.Reading();
  const warn = (message: string) => reading.warn('waiver_partly_written', 'unitItems', message);
  const items = unitItemsOf(reading, booking.unitItems);
  for (const item of items) {
    if (item.id === undefined) reading.refuse(item.path, 'has no uuid: writing would remove it');
  }
  reading.throwIfRefused();
  const guest = kit.guestOf(reading, items, waiver);
  const before = typeof booking.notes === 'string' ? booking.notes : '';
  const notes = kit.withNoteLine(before, waiver);
  const old = kit.objectOf(guest?.value.contact);
  const shared = sharedContact(waiver);
  const isNew = Object.entries(shared).some(([name, value]) => (old[name] ?? null) !== value);
  const contact = guest && isNew && !waiver.deleted ? { ...old, ...shared } : undefined;
  const isForm = settings.waivers && !waiver.deleted;
  const form = isForm ? await fillVendorWaiver(http, booking, waiver) : undefined;
  if (form?.isPerUnit && !guest) warn('the vendor’s own waiver is per unit item, and none is named');
  if (waiver.deleted && (settings.waivers || Object.keys(shared).length > 0)) {
    warn('the line in the notes is gone; the guest’s contact and the vendor’s own waiver stay as they are');
  }
  const mayChange = booking.cancellable !== false;
  const inItem = { ...(mayChange && contact && { contact }), ...(form?.isPerUnit && guest && form.body) };
  const isNoted = mayChange && notes !== before;
  const inBooking = { ...(isNoted && { notes }), ...(form?.isPerUnit === false && form.body) };
  const isWritten = Object.keys({ ...inItem, ...inBooking }).length > 0;
  if (!mayChange && (contact || notes !== before)) {
    const said = 'the booking can be changed no more (it is not cancellable): note the waiver there by hand';
    if (!isWritten) throw new WaiverRejected(said, { retry: 'never' });
    warn(said);
  }
  if (!isWritten) return { accepted: true, warnings: reading.warnings };
  // Every unit item, the cancelled ones too: OCTO removes from the booking what a PATCH leaves out.
  const unitItems = items.map((item) => {
    const { uuid, unitId } = item.value;
    return { uuid, unitId, ...(item === guest && inItem) };
  });
  const written = await http.patch(path, { ...inBooking, unitItems });
  raiseForOcto(written);
  const answer = kit.objectOf(written.data);
  const item = kit.objectsIn(answer.unitItems).find(({ uuid }) => uuid === guest?.value.uuid);
  const { waiversComplete } = kit.objectOf(form?.isPerUnit ? item : answer);
  const lacking = form?.missing.map(kit.quoted).join(', ') ?? '';
  if (form && (lacking !== '' || waiversComplete === false)) {
    warn(`the vendor’s own waiver is not complete; answers that are not shared: ${lacking || 'none'}`);
  }
  return { accepted: true, warnings: reading.warnings };
}
