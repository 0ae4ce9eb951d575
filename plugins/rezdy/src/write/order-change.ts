import { nameKey, type Waiver, waiverFieldNames } from '@waiver-service/core';
import {
  answerForField,
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
import { labelOf, listOf, participantsOf, personLabels, personOf, plainLabel } from '../read.ts';

/** A participant's fields, filled with shared answers. */
interface FilledFields {
  readonly fields: readonly JsonObject[];
  /** The labels of the fields whose values changed. */
  readonly changed: readonly string[];
  /** Whether any of the fields is for a shared answer. */
  readonly haveAnswers: boolean;
  /** The names of the shared answers that the filled fields lack, or contain only in part. */
  readonly unused: readonly string[];
  /** The participant's name differs from the waiver's shared name. Then no field is changed. */
  readonly isOtherPerson: boolean;
}

const contractFields: readonly string[] = waiverFieldNames;
const normalizeSpace = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ');
const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Splits a name: its last word is the last name; a single word is a first name. */
function splitName(name: string): { readonly firstName: string; readonly lastName: string | undefined } {
  const words = normalizeSpace(name).split(' ');
  const lastName = words.length > 1 ? words.pop() : undefined;
  return { firstName: words.join(' '), lastName };
}

/** Whether the fields together already contain the shared name. */
function saySharedName(waiver: Waiver, fields: readonly JsonObject[]): boolean {
  const shared = answerForField(waiver, 'name');
  return shared !== undefined && normalizeSpace(personOf(fields).name ?? '') === normalizeSpace(shared);
}

const wordsOf = (name: string): readonly string[] => nameKey(name).split(' ').filter(Boolean);

/** Whether two names have the same words, or one of them has only some of the other's. */
function compareNames(one: string, other: string): 'same' | 'part' | 'different' {
  const [words, otherWords] = [wordsOf(one), wordsOf(other)];
  // A name without letters, such as "???", says nothing about the person.
  if (words.length === 0 || otherWords.length === 0) return 'part';
  const isWithinOther = words.every((word) => otherWords.includes(word));
  const isWithinOne = otherWords.every((word) => words.includes(word));
  if (isWithinOther && isWithinOne) return 'same';
  return isWithinOther || isWithinOne ? 'part' : 'different';
}

/**
 * Whether a participant is the person who signed, by their names. The position does not show it: once staff remove a
 * participant, the next one takes that position. `unsure`: a name is missing, or is part of the other.
 */
function comparePerson(
  waiver: Waiver,
  fields: readonly JsonObject[],
  formerName: string | undefined,
): 'same' | 'unsure' | 'other' {
  const { name } = personOf(fields);
  if (name === undefined) return 'unsure';
  if (formerName !== undefined && compareNames(formerName, name) === 'same') return 'same';
  const shared = sharedNameOf(waiver);
  if (shared === undefined) return 'unsure';
  const compared = compareNames(shared, name);
  return compared === 'part' ? 'unsure' : compared === 'same' ? 'same' : 'other';
}

/** The part of a name that a field asks for; `undefined` for any other field. */
function namePartOf(label: string): 'firstName' | 'lastName' | undefined {
  const plain = plainLabel(label);
  const parts = ['firstName', 'lastName'] as const;
  return parts.find((part) => personLabels[part].some((known) => known === plain));
}

/** The shared answer for a field. Fields that already contain the shared name keep their split of it. */
function sharedAnswerFor(waiver: Waiver, field: JsonObject, hasSharedName: boolean): unknown {
  const label = labelOf(field);
  const answer = answerForField(waiver, label);
  const name = answerForField(waiver, 'name');
  const part = namePartOf(label);
  if (answer !== undefined || name === undefined || part === undefined) return answer;
  return hasSharedName ? field.value : splitName(name)[part];
}

/** The choices of a field; empty if it accepts any value. */
const choicesOf = ({ listOptions }: JsonObject): readonly unknown[] =>
  (textOf(listOptions) ?? '').split(/\r?\n/).filter((choice) => choice !== '');

/** The shared answer if the field accepts it: Rezdy might reject the whole order for an invalid choice. */
function answerFor(waiver: Waiver, field: JsonObject, hasSharedName: boolean): unknown {
  const answer = sharedAnswerFor(waiver, field, hasSharedName);
  const choices = choicesOf(field);
  return choices.length === 0 || choices.includes(answer) ? answer : undefined;
}

/** The names of the answers that the installation shares, without empty ones. */
function sharedNames(waiver: Waiver): string[] {
  return Object.keys(waiver).filter((name) => !contractFields.includes(name) && !isEmpty(waiver[name]));
}

/** The waiver as if it shared only this answer. */
function sharingOnly(waiver: Waiver, name: string): Waiver {
  const { id, pool, bookingId, lastVisit, deleted, updatedAt } = waiver;
  return { id, pool, bookingId, lastVisit, deleted, updatedAt, [name]: waiver[name] };
}

/** Whether the fields contain a shared answer. */
function sayAnswer(waiver: Waiver, name: string, fields: readonly JsonObject[]): boolean {
  if (name === 'name') return saySharedName(waiver, fields);
  const sharing = sharingOnly(waiver, name);
  return fields.some((field) => !isEmpty(field.value) && answerFor(sharing, field, false) === field.value);
}

/**
 * Fills a participant's fields with shared answers. No field is added or emptied. A value is replaced only if the
 * participant has the shared name, or the name in the waiver's previous version; otherwise it may be another person's.
 * @param formerName - the name in the waiver's existing line
 */
export function fillFields(waiver: Waiver, fields: readonly JsonObject[], formerName?: string): FilledFields {
  const person = comparePerson(waiver, fields, formerName);
  const hasSharedName = saySharedName(waiver, fields);
  const changed: string[] = [];
  let haveAnswers = false;
  const filled = fields.map((field) => {
    const answer = answerFor(waiver, field, hasSharedName);
    if (answer === undefined) return field;
    haveAnswers = true;
    const isOpen = person === 'same' || (person === 'unsure' && isEmpty(field.value));
    if (!isOpen || answer === field.value) return field;
    changed.push(labelOf(field));
    return { ...field, value: answer };
  });
  const unused = sharedNames(waiver).filter((name) => !sayAnswer(waiver, name, filled));
  return { fields: filled, changed, haveAnswers, unused, isOtherPerson: person === 'other' };
}

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
