import type { Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  kindOf,
  normalizeNote,
  ownNoteLines,
  type Reading,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';

/**
 * An order's internal notes; empty if they are absent, because Rezdy leaves out what is empty. Notes that are no text refuse
 * the order: they must not be written over.
 */
export function notesOf(reading: Reading, { internalNotes }: JsonObject): string {
  if (typeof internalNotes === 'string') return internalNotes;
  if (internalNotes !== undefined && internalNotes !== null) {
    reading.refuse('internalNotes', `is ${kindOf(internalNotes)}, not a text`);
  }
  return '';
}

/** Whether two notes have the same lines. */
export const isSameNote = (one: string, other: string): boolean =>
  normalizeNote(one) === normalizeNote(other);

/** The notes without the waiver's line: what a write must leave as it is. */
export const withoutOwnLine = (notes: string, waiver: Waiver): string =>
  normalizeNote(withoutOwnNoteLine(notes, waiver));

/** The answers in the waiver's own line, by their names; none if the notes have no such line. */
export function answersInLine(notes: string, waiver: Waiver): JsonObject {
  const [own = ''] = ownNoteLines(normalizeNote(notes), waiver);
  const answers = own.split(' · ').slice(1);
  return Object.fromEntries(
    answers.map((answer) => {
      const end = answer.indexOf(': ');
      return [answer.slice(0, end), answer.slice(end + 2)];
    }),
  );
}
