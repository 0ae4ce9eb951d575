import type { Waiver } from '@waiver-service/core';
import { normalizeNote, ownNoteLines } from '@waiver-service/plugin-kit';

/** The note of a booking before a write, the one that was sent, and the one that the booking has now. */
export interface WrittenNote {
  readonly former: string;
  readonly sent: string;
  readonly kept: string;
}

/**
 * `as-sent`; `otherwise`: the waiver's line is there (or gone, for a void), but not all of the note is as it was sent;
 * `not-written`: the line is missing or the former one, or a void left it.
 */
export type JudgedNote = 'as-sent' | 'otherwise' | 'not-written';

const ownLines = (note: string, waiver: Waiver) => normalizeNote(ownNoteLines(note, waiver).join('\n'));

/** Judges a write by what the note shows of the waiver afterwards. */
export function judgeNote({ former, sent, kept }: WrittenNote, waiver: Waiver): JudgedNote {
  if (normalizeNote(kept) === normalizeNote(sent)) return 'as-sent';
  const own = ownLines(kept, waiver);
  if (own === ownLines(sent, waiver)) return 'otherwise';
  // A line that is neither the former one nor the one that was sent was cut off or altered on the way.
  const isAltered = !waiver.deleted && own !== '' && own !== ownLines(former, waiver);
  return isAltered ? 'otherwise' : 'not-written';
}
