import type { Waiver } from '@waiver-service/core';
import { withNoteLine } from '@waiver-service/plugin-kit';

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

const normalizeLineEnds = (text: string) => text.replace(/[ \t\r]*\n/g, '\n').trim();

/** The waiver's own lines in a note. */
function ownLines(note: string, waiver: Waiver): string {
  const isOwn = (line: string) => line !== '' && withNoteLine(line, { ...waiver, deleted: true }) === '';
  return normalizeLineEnds(note.split('\n').filter(isOwn).join('\n'));
}

/** Judges a write by what the note shows of the waiver afterwards. */
export function judgeNote({ former, sent, kept }: WrittenNote, waiver: Waiver): JudgedNote {
  if (normalizeLineEnds(kept) === normalizeLineEnds(sent)) return 'as-sent';
  const own = ownLines(kept, waiver);
  if (own === ownLines(sent, waiver)) return 'otherwise';
  // A line that is neither the former one nor the one that was sent was cut off or altered on the way.
  const isAltered = !waiver.deleted && own !== '' && own !== ownLines(former, waiver);
  return isAltered ? 'otherwise' : 'not-written';
}
