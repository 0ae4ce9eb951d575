import {
  type BookingSystemResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
  type Warning,
} from '@waiver-service/core';
import {
  bookingSegment,
  kindOf,
  objectOf,
  rejectNotFound,
  requireOwnId,
  withNoteLine,
} from '@waiver-service/plugin-kit';
import { raiseForWrite } from '../answers.ts';
import { type FoundBooking, findCurrentBooking, findReplacedBookings } from '../rebookings.ts';
import type { Context } from '../settings.ts';

function noteOf({ booking: { note } }: FoundBooking): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // Writing over a note that our key may not read would destroy what staff wrote.
  const message = `FareHarbor’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

const normalizeLineEnds = (text: string) => text.replace(/[ \t\r]*\n/g, '\n').trim();

/** Whether the response shows another note than the one that was sent; false if it shows none. */
function showsOtherNote({ data }: BookingSystemResponse, sent: string): boolean {
  const { note } = objectOf(objectOf(data).booking);
  return typeof note === 'string' && normalizeLineEnds(note) !== normalizeLineEnds(sent);
}

const otherNote: Warning = {
  code: 'waiver_partly_written',
  path: 'note',
  message: 'FareHarbor keeps another note than the one it was sent: look at the note of the booking',
};

/** Brings the waiver's line in one booking's note up to date. */
async function writeLine({ http }: Context, found: FoundBooking, waiver: Waiver): Promise<Warning[]> {
  const former = noteOf(found);
  const note = withNoteLine(former, waiver);
  if (note === former) return [];
  const response = await http.put(`${found.path}note/`, { note });
  raiseForWrite(response);
  return showsOtherNote(response, note) ? [otherNote] : [];
}

/**
 * Writes the waiver's line into the note of the current booking. A void removes it, also from the notes of the bookings
 * that it replaced. All other lines are unchanged.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; the read below would throw BookingNotFound, which is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const current = await findCurrentBooking(context, waiver.bookingId).catch(rejectNotFound);
  requireOwnId(waiver, current.uuid);
  // It may have been signed before the booking was rebooked.
  const replaced = waiver.deleted ? await findReplacedBookings(context, current).catch(rejectNotFound) : [];
  const warnings: Warning[] = [];
  for (const one of [current, ...replaced]) warnings.push(...(await writeLine(context, one, waiver)));
  return { accepted: true, warnings };
}
