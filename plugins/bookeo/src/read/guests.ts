import type { Guest } from '@waiver-service/core';
import { type JsonObject, objectsIn, type Reading, textOf, textsByLabel } from '@waiver-service/plugin-kit';
import { isWaiverField } from '../write/waiver-field.ts';
import { type Participant, readPerson } from './participants.ts';

// The categories that every account has; custom categories are passed on by id.
const participantTypes: Readonly<Record<string, string>> = { Cadults: 'adult', Cchildren: 'child' };

/**
 * The custom fields by name, except the waiver field, which may contain other guests' answers. If a name repeats, the
 * first field counts.
 */
function answersOf({ customFields }: JsonObject, waiverField: string): JsonObject {
  return textsByLabel(
    objectsIn(customFields)
      .filter((field) => !isWaiverField(field, waiverField))
      .map(({ name, id, value }) => [textOf(name) ?? textOf(id), textOf(value)]),
  );
}

/** Reads a participant as a guest; without a name if the person is unknown. */
export function readGuest(
  reading: Reading,
  { slot, categoryId, person }: Participant,
  path: string,
  waiverField: string,
): Guest {
  if (slot === undefined) {
    reading.warn('value_ignored', path, `${path} lacks a category or an index: the guest has no id`);
  }
  return {
    ...answersOf(person, waiverField),
    id: slot,
    ...readPerson(person),
    participantType: categoryId === undefined ? undefined : (participantTypes[categoryId] ?? categoryId),
    peopleCategoryId: categoryId,
    dateOfBirth: textOf(person.dateOfBirth),
    gender: textOf(person.gender),
  };
}
