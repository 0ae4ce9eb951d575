import type { Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { participantsOf } from '../native/participants.ts';
import { type FilledFields, fillFields } from './fill-fields.ts';

/** What a waiver makes of an order. */
export interface WaiverChanges {
  /** The whole order, since Rezdy deletes what a PUT leaves out; all but the changes as it was read. */
  readonly booking: kit.JsonObject;
  /** Whether anything is to be written. */
  readonly isChanged: boolean;
  /** Whether the line in the internal notes is to be written or taken out. */
  readonly isNoteNew: boolean;
  /** The participant's fields. */
  readonly filled: FilledFields;
  /** Where the participant stands in the order; `undefined` where the waiver names none that is there. */
  readonly path: string | undefined;
}

// An order that was cancelled may have lost its items.
const itemsOf = (reading: kit.Reading, { items }: kit.JsonObject) =>
  items === undefined || items === null ? [] : kit.requiredObjects(reading, items, 'items');

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The item with one participant's fields replaced, everything else and every order as it was. */
function withFields(item: kit.ListedObject, path: string, filled: readonly kit.JsonObject[]): kit.JsonObject {
  const left = [...filled];
  const participants = listOf(item.value.participants).map((one, index) => {
    if (!kit.isJsonObject(one) || `${item.path}.participants[${index}]` !== path) return one;
    const fields = listOf(one.fields).map((field) => (kit.isJsonObject(field) ? left.shift() : field));
    return { ...one, fields };
  });
  return { ...item.value, participants };
}

/** Works out what a waiver still has to change in an order; nothing where all of it stands there already. */
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
