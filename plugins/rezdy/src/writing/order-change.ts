import type { Waiver } from '@waiver-service/core';
import {
  findGuest,
  isJsonObject,
  type JsonObject,
  type ListedObject,
  type Reading,
  requiredObjects,
  withNoteLine,
} from '@waiver-service/plugin-kit';
import { listOf, type Participant, participantsOf, personOf } from '../native/participants.ts';
import { type FilledFields, fillFields, nameAnother } from './fill-fields.ts';

/** The change of an order for a waiver. */
export interface OrderChange {
  /** The complete changed order, since Rezdy deletes whatever a PUT omits. */
  readonly order: JsonObject;
  readonly isNoteChanged: boolean;
  readonly areFieldsChanged: boolean;
  /** The fields of the participant who signed; none if the waiver names nobody, or nobody whom the order has. */
  readonly filled: FilledFields;
  /** The path of that participant, for warnings. */
  readonly path: string;
}

// A cancelled order may have lost its items.
const itemsOf = (reading: Reading, { items }: JsonObject): readonly ListedObject[] =>
  items === undefined || items === null ? [] : requiredObjects(reading, items, 'items');

/** The list with its objects replaced, in their order; everything else keeps its position. */
function withObjects(list: unknown, objects: readonly JsonObject[]): readonly unknown[] {
  const replacements = objects.values();
  return listOf(list).map((one) => (isJsonObject(one) ? replacements.next().value : one));
}

/** The item with one participant's fields replaced; the item itself if the participant is not one of its own. */
function withFields(item: ListedObject, participantPath: string, fields: readonly JsonObject[]): JsonObject {
  if (!participantPath.startsWith(`${item.path}.`)) return item.value;
  const participants = listOf(item.value.participants).map((participant, index) =>
    isJsonObject(participant) && `${item.path}.participants[${index}]` === participantPath
      ? { ...participant, fields: withObjects(participant.fields, fields) }
      : participant,
  );
  return { ...item.value, participants };
}

/** The fields of an order that hold a participant's fields. */
const itemsWith = (items: readonly ListedObject[], { path }: Participant, { fields }: FilledFields) => ({
  items: items.map((item) => withFields(item, path, fields)),
});

const nothingFilled: FilledFields = { fields: [], changed: [], matching: [], unused: [] };

/** Whether the notes have the name that a participant has now in the waiver's own line: then it came from the waiver. */
function isNamedByWaiver(notes: string, waiver: Waiver, { fields }: Participant): boolean {
  const name = personOf(fields).name ?? '';
  return notes.includes(name) && !withNoteLine(notes, { ...waiver, deleted: true }).includes(name);
}

/** Works out what a waiver changes in an order; nothing if the order already contains the waiver. */
export function planChange(reading: Reading, order: JsonObject, waiver: Waiver): OrderChange {
  const items = itemsOf(reading, order);
  const guest = findGuest(reading, items.flatMap(participantsOf), waiver);
  const formerNotes = typeof order.internalNotes === 'string' ? order.internalNotes : '';
  // Participants have no ids: where one was removed, another person is at the position that the waiver names.
  const isAnother =
    guest !== undefined &&
    !waiver.deleted &&
    nameAnother(waiver, guest.fields) &&
    !isNamedByWaiver(formerNotes, waiver, guest);
  if (isAnother) {
    const message =
      'the participant at this position has another name, so the fields stay: only the internal notes tell of the waiver';
    reading.warn('waiver_partly_written', guest.path, message);
  }
  const filled = isAnother ? nothingFilled : fillFields(waiver, guest?.fields ?? []);
  const areFieldsChanged = guest !== undefined && !waiver.deleted && filled.changed.length > 0;
  const internalNotes = withNoteLine(formerNotes, waiver);
  const isNoteChanged = internalNotes !== formerNotes;
  return {
    order: {
      ...order,
      ...(isNoteChanged ? { internalNotes } : {}),
      ...(areFieldsChanged ? itemsWith(items, guest, filled) : {}),
    },
    isNoteChanged,
    areFieldsChanged,
    filled,
    path: guest?.path ?? 'items',
  };
}
