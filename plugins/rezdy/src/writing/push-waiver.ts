import type { BookingSystemContext, PushedWaiver, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { bookingIn, raiseForRezdy } from '../answers.ts';
import { participantsOf } from '../native/participants.ts';

/**
 * Writes one waiver by one PUT after a GET: a line in the internal notes, and the guest's fields that shared answers fit
 * into. Every item goes along as it is, since Rezdy takes the list of participants as a whole.
 */
export async function pushWaiver(
  { http }: Pick<BookingSystemContext, 'http'>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${kit.bookingSegment(waiver.bookingId, 'guest-update')}`;
  const booking = bookingIn(await http.get(path));
  const reading = new kit.Reading();
  const items = kit.requiredObjects(reading, booking.items, 'items');
  reading.throwIfRefused();
  const guest = kit.guestOf(reading, items.flatMap(participantsOf), waiver);
  const answers = (guest?.fields ?? []).map(({ label }) => kit.answerForField(waiver, String(label)));
  if (waiver.deleted && answers.some((answer) => answer !== undefined)) {
    const message = 'the line in the internal notes is gone; what the participant’s fields say stays';
    reading.warn('waiver_partly_written', guest?.path ?? 'items', message);
  }
  // Only fields that the product asks for, and that are not right already.
  const fields = guest?.fields.map((field, index) => {
    const answer = waiver.deleted ? undefined : answers[index];
    return answer === undefined || answer === field.value ? field : { ...field, value: answer };
  });
  const isNew = fields?.some((field, index) => field !== guest?.fields[index]) ?? false;
  const before = typeof booking.internalNotes === 'string' ? booking.internalNotes : '';
  const internalNotes = kit.withNoteLine(before, waiver);
  if (isNew || internalNotes !== before) {
    const written = items.map((item) => {
      const own = participantsOf(item).findIndex(({ id }) => id === guest?.id);
      const list = kit.objectsIn(item.value.participants);
      const participants = list.map((one, index) => (index === own ? { ...one, fields } : one));
      return own === -1 ? item.value : { ...item.value, participants };
    });
    raiseForRezdy(await http.put(path, { internalNotes, items: written }));
  }
  return { accepted: true, warnings: reading.warnings };
}
