import type { Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  kindOf,
  normalizeNote,
  type Reading,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';

/**
 * An order's internal notes; empty if absent, since Rezdy omits empty values. Notes that are not a text refuse the
 * order: they must not be overwritten.
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

/** The notes without the waiver's line: a write must leave them unchanged. */
export const withoutOwnLine = (notes: string, waiver: Waiver): string =>
  normalizeNote(withoutOwnNoteLine(notes, waiver));
