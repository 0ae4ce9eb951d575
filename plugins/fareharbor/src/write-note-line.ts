import { type PushedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
import { bookingSegment, kindOf, objectOf, rejectNotFound, withNoteLine } from '@waiver-service/plugin-kit';
import { raiseForWrite } from './answers.ts';
import { type FoundBooking, followRebookings } from './rebookings.ts';
import type { Context } from './settings.ts';

function noteOf({ booking: { note } }: FoundBooking): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // Writing over a note that our key may not read would destroy what staff wrote.
  const message = `FareHarbor’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

const normalizeLineEnds = (text: string) => text.replace(/[ \t\r]*\n/g, '\n').trim();

/** Whether the response shows another note than the one that was sent; false if it shows none. */
function hasOtherNote(body: unknown, sent: string): boolean {
  const { note } = objectOf(objectOf(body).booking);
  return typeof note === 'string' && normalizeLineEnds(note) !== normalizeLineEnds(sent);
}

/**
 * Writes the waiver's line into the note of the current booking. A void removes it, also from the notes of the bookings
 * that it replaced. All other lines are unchanged.
 */
export async function writeNoteLine(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; the read below would throw BookingNotFound, which is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const found = await followRebookings(context, waiver.bookingId).catch(rejectNotFound);
  const warnings: Warning[] = [];
  for (const one of waiver.deleted ? found : found.slice(0, 1)) {
    const before = noteOf(one);
    const note = withNoteLine(before, waiver);
    if (note === before) continue;
    const response = await context.http.put(`${one.path}note/`, { note });
    raiseForWrite(response);
    if (!hasOtherNote(response.data, note)) continue;
    const message = 'FareHarbor keeps another note than the one it was sent: look at the note of the booking';
    warnings.push({ code: 'waiver_partly_written', path: 'note', message });
  }
  return { accepted: true, warnings };
}
