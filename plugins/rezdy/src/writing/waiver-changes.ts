import type { Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { participantsOf } from '../native/participants.ts';
import { type FilledFields, fillFields } from './fill-fields.ts';

/** The changes that a waiver makes to an order. */
export interface WaiverChanges {
  /** The complete changed order, since Rezdy deletes whatever a PUT omits. */
  readonly booking: kit.JsonObject;
  readonly isChanged: boolean;
  /** Whether the line in the internal notes changes. */
  readonly isNoteNew: boolean;
  /** The participant's fields. */
  readonly filled: FilledFields;
  /** The path of the participant; `undefined` if the waiver names none, or one that the order does not have. */
  readonly path: string | undefined;
}

// A cancelled order may have lost its items.
const itemsOf = (reading: kit.Reading, { items }: kit.JsonObject) =>
  items === undefined || items === null ? [] : kit.requiredObjects(reading, items, 'items');

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The item with one participant's fields replaced, and everything else in its original order. */
function withFields(item: kit.ListedObject, path: string, filled: readonly kit.JsonObject[]): kit.JsonObject {
  const left = [...filled];
  const participants = listOf(item.value.participants).map((one, index) => {
    if (!kit.isJsonObject(one) || `${item.path}.participants[${index}]` !== path) return one;
    const fields = listOf(one.fields).map((field) => (kit.isJsonObject(field) ? left.shift() : field));
    return { ...one, fields };
  });
  return { ...item.value, participants };
}

/** Computes the outstanding changes to an order; none if it already contains the waiver. */
export function changesFor(reading: kit.Reading, booking: kit.JsonObject, waiver: Waiver): WaiverChanges {
  const items = itemsOf(reading, booking);
  const guest = kit.findGuest(reading, items.flatMap(participantsOf), waiver);
  const filled = fillFields(waiver, guest?.fields ?? []);
  const before = typeof booking.internalNotes === 'string' ? booking.internalNotes : '';
  const internalNotes = kit.withNoteLine(before, waiver);
  const isNoteNew = internalNotes !== before;
  const isFilled = guest !== undefined && !waiver.deleted && filled.changed.length > 0;
  const itemPath = guest?.path.replace(/\.participants.*$/, '');
  const changes = {
    ...(isNoteNew && { internalNotes }),
    ...(isFilled && {
      items: items.map((item) =>
        item.path === itemPath ? withFields(item, guest.path, filled.fields) : item.value,
      ),
    }),
  };
  const isChanged = isNoteNew || isFilled;
  return { booking: { ...booking, ...changes }, isChanged, isNoteNew, filled, path: guest?.path };
}
