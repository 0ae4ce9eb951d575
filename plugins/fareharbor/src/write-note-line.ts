import { type PushedWaiver, type Waiver, WaiverRejected } from '@waiver-service/core';
import { bookingSegment, kindOf, rejectNotFound, withNoteLine } from '@waiver-service/plugin-kit';
import { raiseForWrite } from './answers.ts';
import { type FoundBooking, followRebookings } from './rebookings.ts';
import type { Context } from './settings.ts';

function noteOf({ booking: { note } }: FoundBooking): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // A note that we may not see would be lost, and with it what staff wrote.
  const message = `FareHarbor’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

/**
 * Keeps one line for the waiver in the note of the booking that stands; a void takes it out of that one's and of the
 * notes of those before. What staff wrote stays.
 */
export async function writeNoteLine(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // An id that no URL can carry is refused for good, before any call.
  bookingSegment(waiver.bookingId, 'guest-update');
  const found = await followRebookings(context, waiver.bookingId).catch(rejectNotFound);
  for (const one of waiver.deleted ? found : found.slice(0, 1)) {
    const before = noteOf(one);
    const note = withNoteLine(before, waiver);
    if (note !== before) raiseForWrite(await context.http.put(`${one.path}note/`, { note }));
  }
  return { accepted: true, warnings: [] };
}
