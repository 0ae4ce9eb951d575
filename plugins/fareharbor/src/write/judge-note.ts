import type { Waiver } from '@waiver-service/core';
import { normalizeNote, ownNoteLines } from '@waiver-service/plugin-kit';

/** A booking's note before a write, as sent, and as read afterwards. */
export interface WrittenNote {
  readonly former: string;
  readonly sent: string;
  readonly kept: string;
}

/**
 * `otherwise`: the waiver's line is there (or gone, for a void), but not all of the note is as sent; `not-written`: the
 * line is missing or still the previous one, or a void left it.
 */
export type JudgedNote = 'as-sent' | 'otherwise' | 'not-written';

const ownLines = (note: string, waiver: Waiver) => normalizeNote(ownNoteLines(note, waiver).join('\n'));

/** Judges a write by what the note shows of the waiver afterwards. */
export function judgeNote({ former, sent, kept }: WrittenNote, waiver: Waiver): JudgedNote {
  if (normalizeNote(kept) === normalizeNote(sent)) return 'as-sent';
  const own = ownLines(kept, waiver);
  if (own === ownLines(sent, waiver)) return 'otherwise';
  // A line that is neither the previous nor the sent one was cut off or altered on the way.
  const isAltered = !waiver.deleted && own !== '' && own !== ownLines(former, waiver);
  return isAltered ? 'otherwise' : 'not-written';
}
