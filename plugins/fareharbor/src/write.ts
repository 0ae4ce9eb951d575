import { type PushedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
import {
  bookingSegment,
  kindOf,
  normalizeNote,
  ownNoteLines,
  requireOwnId,
  withNoteLine,
} from '@waiver-service/plugin-kit';
import { raiseForFareHarbor } from './answers.ts';
import {
  type FoundBooking,
  findCurrentBooking,
  requestBooking,
  withReplacedBookings,
} from './read/rebookings.ts';
import type { Context } from './settings.ts';

/** A booking's note before a write, as sent, and as read afterwards. */
interface WrittenNote {
  readonly former: string;
  readonly sent: string;
  readonly kept: string;
}

/**
 * `otherwise`: the waiver's line is there (or gone, for a void), but not all of the note is as sent; `not-written`: the
 * line is missing or still the previous one, or a void left it.
 */
type JudgedNote = 'as-sent' | 'otherwise' | 'not-written';

const ownLines = (note: string, waiver: Waiver) => normalizeNote(ownNoteLines(note, waiver).join('\n'));

/** Judges a write by what the note shows of the waiver afterwards. */
function judgeNote({ former, sent, kept }: WrittenNote, waiver: Waiver): JudgedNote {
  if (normalizeNote(kept) === normalizeNote(sent)) return 'as-sent';
  const own = ownLines(kept, waiver);
  if (own === ownLines(sent, waiver)) return 'otherwise';
  // A line that is neither the previous nor the sent one was cut off or altered on the way.
  const isAltered = !waiver.deleted && own !== '' && own !== ownLines(former, waiver);
  return isAltered ? 'otherwise' : 'not-written';
}

function noteOf({ booking: { note } }: Pick<FoundBooking, 'booking'>): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // Overwriting a note that our key may not read would destroy what staff wrote.
  const message = `FareHarbor’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

/** Writes a note, and reads it back instead of trusting the response. */
async function putNote(context: Context, { path, uuid }: FoundBooking, note: string): Promise<string> {
  raiseForFareHarbor(await context.http.put(`${path}note/`, { note }), { purpose: 'guest-update' });
  return noteOf(await requestBooking(context, uuid));
}

/**
 * Updates the waiver's line in one booking's note. Staff who had the note open may save it right after the write and
 * thereby remove the line: then it is written once more, into what they saved.
 */
async function writeLine(context: Context, found: FoundBooking, waiver: Waiver): Promise<JudgedNote> {
  const former = noteOf(found);
  const sent = withNoteLine(former, waiver);
  if (sent === former) return 'as-sent';
  const kept = await putNote(context, found, sent);
  const judged = judgeNote({ former, sent, kept }, waiver);
  if (judged !== 'not-written') return judged;
  const sentAgain = withNoteLine(kept, waiver);
  return judgeNote({ former: kept, sent: sentAgain, kept: await putNote(context, found, sentAgain) }, waiver);
}

const otherNote: Warning = {
  code: 'waiver_partly_written',
  path: 'note',
  message: 'FareHarbor keeps another note than the one it was sent: look at the note of the booking',
};

const reasonFor = ({ deleted }: Waiver, bookings: readonly string[]) =>
  deleted
    ? `FareHarbor took the note, and the waiver’s line is still in it: remove it by hand (booking ${bookings.join(', ')})`
    : `FareHarbor took the note and did not keep the waiver’s line: note the waiver by hand (booking ${bookings.join(', ')})`;

interface WrittenLines {
  readonly warnings: readonly Warning[];
  /** The ids of the bookings whose note is not as intended. */
  readonly notWritten: readonly string[];
}

/**
 * Updates the waiver's line in the current booking and, for a void, in those that it replaced, since the waiver may
 * have been signed before a rebooking. A note is written right after it is read: whatever staff save in between is
 * lost, since FareHarbor replaces the whole note.
 */
async function writeLines(context: Context, current: FoundBooking, waiver: Waiver): Promise<WrittenLines> {
  const warnings: Warning[] = [];
  const notWritten: string[] = [];
  for await (const one of waiver.deleted ? withReplacedBookings(context, current) : [current]) {
    const judged = await writeLine(context, one, waiver);
    if (judged === 'not-written') notWritten.push(one.uuid);
    if (judged === 'otherwise') warnings.push(otherNote);
  }
  return { warnings, notWritten };
}

/**
 * Writes the waiver's line into the note of the current booking. A void removes it, also from the notes of the bookings
 * that it replaced. All other lines are unchanged. Only what a note shows afterwards counts as written.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; the read below would throw BookingNotFound, which is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const current = await findCurrentBooking(context, waiver.bookingId);
  requireOwnId(waiver, current.uuid);
  const { warnings, notWritten } = await writeLines(context, current, waiver);
  if (notWritten.length === 0) return { accepted: true, warnings };
  return { accepted: false, reason: reasonFor(waiver, notWritten), warnings };
}
