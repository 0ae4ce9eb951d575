import type { Waiver } from '@waiver-service/core';
import { noteLineOf, withoutNoteLines, withoutOwnNoteLine } from '@waiver-service/plugin-kit';

const separator = ' · ';
const answersIn = (line: string): string => line.split(separator).slice(1).join(separator);

/** Whether the notes already have this waiver's line, with the same answers; its date may be another. */
export function hasSameAnswers(notes: string, waiver: Waiver): boolean {
  const others = new Set(withoutOwnNoteLine(notes, waiver).split('\n'));
  const line = notes.split('\n').find((one) => !others.has(one));
  return line !== undefined && answersIn(line) === answersIn(noteLineOf(waiver));
}

/** Whether the notes have the line of another waiver. */
export function hasOtherWaivers(notes: string, waiver: Waiver): boolean {
  const others = withoutOwnNoteLine(notes, waiver);
  return withoutNoteLines(others) !== others;
}
