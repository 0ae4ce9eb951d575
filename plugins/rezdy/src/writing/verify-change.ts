import type { Waiver } from '@waiver-service/core';
import { type JsonObject, quoted, Reading } from '@waiver-service/plugin-kit';
import { displayName } from '../answers.ts';
import { type OrderChange, planChange } from './order-change.ts';

/**
 * Compares the order after the write with the change that was sent, by what would still have to change, and warns of each
 * part that was not stored. Returns why the waiver counts as not written; `undefined` if a part of the change was stored.
 */
export function verifyChange(
  reading: Reading,
  waiver: Waiver,
  sent: OrderChange,
  orderAfter: JsonObject,
): string | undefined {
  const { isNoteChanged: isNoteLost, filled } = planChange(new Reading(), orderAfter, waiver);
  if (isNoteLost && waiver.deleted) {
    return `${displayName} took the change and left the waiver’s line in the internal notes: take it out there by hand`;
  }
  // What the fields said before the write tells nobody of the waiver.
  const stored = sent.filled.changed.filter((label) => filled.matching.includes(label));
  if (isNoteLost && stored.length === 0) {
    return `${displayName} took the change and kept nothing of it: note the waiver in the order by hand`;
  }

  if (isNoteLost) {
    const message = `${displayName} did not keep the line in the internal notes`;
    reading.warn('waiver_partly_written', 'internalNotes', message);
  }
  const written = waiver.deleted ? [] : sent.filled.changed;
  const lost = written.filter((label) => !filled.matching.includes(label));
  if (lost.length > 0) {
    const message = `${displayName} did not keep what was written into ${lost.map(quoted).join(', ')}`;
    reading.warn('waiver_partly_written', sent.path, message);
  }
  return undefined;
}
