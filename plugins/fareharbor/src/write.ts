import type { PushedWaiver, Waiver, Warning } from '@waiver-service/core';
import { bookingSegment, pushNoteLine, requireOwnId, type VendorNote } from '@waiver-service/plugin-kit';
import { displayName, raiseForFareHarbor } from './answers.ts';
import { type FoundBooking, findCurrentBooking, requestBooking, withReplacedBookings } from './read.ts';
import type { Context } from './settings.ts';

const noteOf = (context: Context, { uuid, path, booking }: FoundBooking): VendorNote => ({
  bookingSystem: displayName,
  bookingId: uuid,
  note: booking.note,
  async replace(note) {
    raiseForFareHarbor(await context.http.put(`${path}note/`, { note }), { purpose: 'guest-update' });
    return (await requestBooking(context, uuid)).booking.note;
  },
});

/**
 * Writes the waiver's line into the note of the current booking. A void removes it, also from the notes of the bookings
 * that it replaced, since the waiver may have been signed before a rebooking. Each note is written right after it is
 * read.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; the read below would throw BookingNotFound, which is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const current = await findCurrentBooking(context, waiver.bookingId);
  requireOwnId(waiver, current.uuid);
  const warnings: Warning[] = [];
  const reasons: string[] = [];
  for await (const one of waiver.deleted ? withReplacedBookings(context, current) : [current]) {
    const pushed = await pushNoteLine(noteOf(context, one), waiver);
    warnings.push(...pushed.warnings);
    if (!pushed.accepted) reasons.push(pushed.reason);
  }
  if (reasons.length === 0) return { accepted: true, warnings };
  return { accepted: false, reason: reasons.join('; '), warnings };
}
