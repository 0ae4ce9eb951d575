import { type PushedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
import { bookingSegment, kindOf, objectOf, rejectNotFound, withNoteLine } from '@waiver-service/plugin-kit';
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

const withPlainEnds = (text: string) => text.replace(/[ \t\r]*\n/g, '\n').trim();

/** Whether FareHarbor says that it keeps another note than the one it was sent. What it does not say is no difference. */
function keepsAnother(answer: unknown, sent: string): boolean {
  const { note } = objectOf(objectOf(answer).booking);
  return typeof note === 'string' && withPlainEnds(note) !== withPlainEnds(sent);
}

/**
 * Keeps one line for the waiver in the note of the booking that stands; a void takes it out of that one's and of the
 * notes of those before. What staff wrote stays.
 */
export async function writeNoteLine(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // An id that no URL can carry is refused for good, before any call.
  bookingSegment(waiver.bookingId, 'guest-update');
  const found = await followRebookings(context, waiver.bookingId).catch(rejectNotFound);
  const warnings: Warning[] = [];
  for (const one of waiver.deleted ? found : found.slice(0, 1)) {
    const before = noteOf(one);
    const note = withNoteLine(before, waiver);
    if (note === before) continue;
    const response = await context.http.put(`${one.path}note/`, { note });
    raiseForWrite(response);
    if (!keepsAnother(response.data, note)) continue;
    const message = 'FareHarbor keeps another note than the one it was sent: look at the note of the booking';
    warnings.push({ code: 'waiver_partly_written', path: 'note', message });
  }
  return { accepted: true, warnings };
}
