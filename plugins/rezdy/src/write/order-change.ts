import type { Waiver } from '@waiver-service/core';
import {
  answersInNote,
  findGuest,
  isJsonObject,
  type JsonObject,
  kindOf,
  type ListedObject,
  normalizeNote,
  Reading,
  requiredObjects,
  sharedNameOf,
  textOf,
  withNoteLine,
  withoutOwnNoteLine,
} from '@waiver-service/plugin-kit';
import { isCancelled } from '../answers.ts';
import { listOf, participantsOf } from '../read/participants.ts';
import { type FilledFields, fillFields } from './fill-fields.ts';

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

/** The change to an order for a waiver. */
export interface OrderChange {
  /** The complete changed order, since Rezdy deletes whatever a PUT omits. */
  readonly order: JsonObject;
  readonly isNoteChanged: boolean;
  /** The labels of the participant's fields that change; none for a void. */
  readonly changedFields: readonly string[];
  /** The fields of the participant who signed; none if the waiver names no participant of the order. */
  readonly filled: FilledFields;
  /** The path of that participant, for warnings. */
  readonly path: string;
}

/** An order's items. Only a cancelled order may have lost them: otherwise, a PUT without them would delete them. */
function itemsOf(reading: Reading, { items, status }: JsonObject): readonly ListedObject[] {
  const mayLackItems = isCancelled(textOf(status) ?? '');
  return mayLackItems && !items ? [] : requiredObjects(reading, items, 'items');
}

/** The list with its objects replaced, in order; everything else keeps its position. */
function withObjects(list: unknown, objects: readonly JsonObject[]): readonly unknown[] {
  const replacements = objects.values();
  return listOf(list).map((one) => (isJsonObject(one) ? replacements.next().value : one));
}

/** The item with one participant's fields replaced; the item itself if the participant is not in it. */
function withFields(item: ListedObject, participantPath: string, fields: readonly JsonObject[]): JsonObject {
  if (!participantPath.startsWith(`${item.path}.`)) return item.value;
  const participants = listOf(item.value.participants).map((participant, index) =>
    isJsonObject(participant) && `${item.path}.participants[${index}]` === participantPath
      ? { ...participant, fields: withObjects(participant.fields, fields) }
      : participant,
  );
  return { ...item.value, participants };
}

/** The fields of the participant at a path; none if the order has no such participant. */
export function fieldsAt(order: JsonObject, path: string): readonly JsonObject[] {
  const participants = itemsOf(new Reading(), order).flatMap(participantsOf);
  return participants.find((participant) => participant.path === path)?.fields ?? [];
}

/** The items of an order, with new fields for the participant at a path. */
export const itemsWith = (
  order: JsonObject,
  path: string,
  fields: readonly JsonObject[],
): readonly JsonObject[] => itemsOf(new Reading(), order).map((item) => withFields(item, path, fields));

/** The name in the waiver's line in the notes: a participant with this name has it from this waiver. */
function formerNameOf(notes: string, waiver: Waiver): string | undefined {
  const { id, pool, bookingId, lastVisit, deleted, updatedAt } = waiver;
  return sharedNameOf({
    ...answersInNote(notes, waiver),
    id,
    pool,
    bookingId,
    lastVisit,
    deleted,
    updatedAt,
  });
}

/** Works out what a waiver changes in an order; nothing if the order already contains the waiver. */
export function planChange(reading: Reading, order: JsonObject, waiver: Waiver): OrderChange {
  const guest = findGuest(reading, itemsOf(reading, order).flatMap(participantsOf), waiver);
  const path = guest?.path ?? 'items';
  const formerNotes = notesOf(reading, order);
  const filled = fillFields(waiver, guest?.fields ?? [], formerNameOf(formerNotes, waiver));
  const changedFields = waiver.deleted ? [] : filled.changed;
  const internalNotes = withNoteLine(formerNotes, waiver);
  const isNoteChanged = !isSameNote(internalNotes, formerNotes);
  return {
    order: {
      ...order,
      ...(isNoteChanged ? { internalNotes } : {}),
      ...(changedFields.length > 0 ? { items: itemsWith(order, path, filled.fields) } : {}),
    },
    isNoteChanged,
    changedFields,
    filled,
    path,
  };
}
