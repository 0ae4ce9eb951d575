import type { Guest } from '@waiver-service/core';
import { type JsonObject, objectsIn, type Reading, textOf } from '@waiver-service/plugin-kit';
import { isWaiverField } from '../waiver-field.ts';
import { type Participant, readPerson } from './participants.ts';

// Categories that every account of Bookeo's has; those that an account made itself keep Bookeo's id.
const participantTypes: Readonly<Record<string, string>> = { Cadults: 'adult', Cchildren: 'child' };

/**
 * What an account asks of its customers, each answer under the field's own name. Not the field of the waivers: it tells
 * of others too.
 */
function answersOf({ customFields }: JsonObject, waiverField: string): JsonObject {
  const answers = objectsIn(customFields)
    .filter((field) => !isWaiverField(field, waiverField))
    .map(({ name, id, value }) => [textOf(name) ?? textOf(id), textOf(value)] as const);
  return Object.fromEntries(
    answers.filter(([name, value]) => name !== undefined && value !== undefined).toReversed(),
  );
}

/** The holder of a place, as a guest: with a name where Bookeo tells who it is. */
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
