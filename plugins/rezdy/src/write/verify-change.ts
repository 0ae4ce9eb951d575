import type { Waiver } from '@waiver-service/core';
import { type JsonObject, quoted, Reading, textOf, withNoteLine } from '@waiver-service/plugin-kit';
import { displayName } from '../answers.ts';
import { labelOf } from '../read/participants.ts';
import { isSameNote, notesOf } from './internal-notes.ts';
import { fieldsAt, type OrderChange } from './order-change.ts';
import { unintendedChanges } from './unintended-changes.ts';

/** Whether the internal notes have the waiver's line as intended; for a void, not at all. */
function isLineKept(orderAfter: JsonObject, waiver: Waiver): boolean {
  const notes = notesOf(new Reading(), orderAfter);
  return isSameNote(withNoteLine(notes, waiver), notes);
}

/** The labels of the changed fields whose new values the order lacks. */
function lostFields({ changedFields, filled, path }: OrderChange, orderAfter: JsonObject): string[] {
  const fieldsAfter = fieldsAt(orderAfter, path);
  return changedFields.filter((label) => {
    const sent = filled.fields.find((field) => labelOf(field) === label);
    const isStored = fieldsAfter.some(
      (field) => labelOf(field) === label && textOf(field.value) === textOf(sent?.value),
    );
    return !isStored;
  });
}

/**
 * Compares the order after a write with the order before it and with the change that was sent; warns of each part that
 * was not stored and of each unintended change. Returns why the waiver counts as not written; `undefined` if the notes
 * have its line, or if at least one field has a new value.
 */
export function verifyChange(
  reading: Reading,
  waiver: Waiver,
  change: OrderChange,
  orderBefore: JsonObject,
  orderAfter: JsonObject,
): string | undefined {
  for (const part of unintendedChanges(orderBefore, orderAfter, change, waiver)) {
    const message = `the order’s ${part} changed with the waiver: compare it in ${displayName}`;
    reading.warn('waiver_partly_written', part, message);
  }

  const isLineLost = !isLineKept(orderAfter, waiver);
  if (isLineLost && waiver.deleted) {
    return `${displayName} took the change and left the waiver’s line in the internal notes: take it out there by hand`;
  }
  const lost = lostFields(change, orderAfter);
  if (isLineLost && lost.length === change.changedFields.length) {
    return `${displayName} took the change and kept nothing of it: note the waiver in the order by hand`;
  }

  if (isLineLost) {
    const message = `${displayName} did not keep the line in the internal notes`;
    reading.warn('waiver_partly_written', 'internalNotes', message);
  }
  if (lost.length > 0) {
    const message = `${displayName} did not keep what was written into ${lost.map(quoted).join(', ')}`;
    reading.warn('waiver_partly_written', change.path, message);
  }
  return undefined;
}
