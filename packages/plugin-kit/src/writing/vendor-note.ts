import { type PushedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
import { kindOf, quoted } from '../reading/json.ts';
import { normalizeNote, ownNoteLines, withNoteLine } from './note-line.ts';

/** A booking's note at a vendor, which staff write too and which is replaced as a whole. */
export interface VendorNote {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  /** The booking that has the note. */
  readonly bookingId: string;
  /** The note as it was just read: a text, or null if there is none. */
  readonly note: unknown;
  /** Replaces the note, and returns it as another read shows it: a response does not say what was stored. */
  replace(note: string): Promise<unknown>;
}

/** A note before a write, as sent, and as read afterwards. */
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

function textOfNote({ bookingSystem }: VendorNote, note: unknown): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // Overwriting a note that our key may not read would destroy what staff wrote.
  const message = `${bookingSystem}’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

async function writeLine(vendorNote: VendorNote, former: string, waiver: Waiver): Promise<WrittenNote> {
  const sent = withNoteLine(former, waiver);
  const kept = sent === former ? former : textOfNote(vendorNote, await vendorNote.replace(sent));
  return { former, sent, kept };
}

function warningOf({ bookingSystem, bookingId }: VendorNote): Warning {
  const message = `${bookingSystem} keeps another note than the one it was sent: look at the note of booking ${quoted(bookingId)}`;
  return { code: 'waiver_partly_written', path: 'note', message };
}

/**
 * Writes a waiver's line into a booking's note, or removes it for a void; all other text stays unchanged. Only what the
 * note shows afterwards counts as written. Staff who had the note open may save it right after the write and thereby
 * remove the line: then it is written once more, into what they saved. What they save between a read and the write that
 * follows it is lost.
 */
export async function pushNoteLine(vendorNote: VendorNote, waiver: Waiver): Promise<PushedWaiver> {
  const { bookingSystem, bookingId } = vendorNote;
  const first = await writeLine(vendorNote, textOfNote(vendorNote, vendorNote.note), waiver);
  const judged =
    judgeNote(first, waiver) === 'not-written'
      ? judgeNote(await writeLine(vendorNote, first.kept, waiver), waiver)
      : judgeNote(first, waiver);
  if (judged !== 'not-written') {
    return { accepted: true, warnings: judged === 'otherwise' ? [warningOf(vendorNote)] : [] };
  }
  const reason = waiver.deleted
    ? `${bookingSystem} took the note, and the waiver’s line is still in it: remove it by hand (booking ${bookingId})`
    : `${bookingSystem} took the note and did not keep the waiver’s line: note the waiver by hand (booking ${bookingId})`;
  return { accepted: false, reason, warnings: [] };
}
