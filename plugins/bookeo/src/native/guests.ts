import type { Guest } from '@waiver-service/core';
import { type JsonObject, objectsIn, type Reading, textOf } from '@waiver-service/plugin-kit';
import { isWaiverField } from '../waiver-field.ts';
import { type Participant, readPerson } from './participants.ts';

// The categories that every account has; custom categories are passed on by their id.
const participantTypes: Readonly<Record<string, string>> = { Cadults: 'adult', Cchildren: 'child' };

/** The custom fields by name, except the waiver field, which may contain other guests' answers. */
function answersOf({ customFields }: JsonObject, waiverField: string): JsonObject {
  const answers = objectsIn(customFields)
    .filter((field) => !isWaiverField(field, waiverField))
    .map(({ name, id, value }) => [textOf(name) ?? textOf(id), textOf(value)] as const);
  return Object.fromEntries(
    answers.filter(([name, value]) => name !== undefined && value !== undefined).toReversed(),
  );
}

/** Reads a participant as a guest; without a name if the person is unknown. */
export function readGuest(
  reading: Reading,
  { slot, categoryId, person }: Participant,
  path: string,
  waiverField: string,
): Guest {
  if (!slot) reading.warn('value_ignored', path, `${path} lacks a category or an index: the guest has no id`);
  return {
    ...answersOf(person, waiverField),
    id: slot,
    ...readPerson(person),
    participantType: categoryId && (participantTypes[categoryId] ?? categoryId),
    peopleCategoryId: categoryId,
    dateOfBirth: textOf(person.dateOfBirth),
    gender: textOf(person.gender),
  };
}
