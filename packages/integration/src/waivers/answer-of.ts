import { changedAnswersSchema } from '@waiver-service/api';
import { isStorableText } from '@waiver-service/core';
import { findUnstorable, parseJson } from '@waiver-service/http';
import type { JsonValue } from '@waiver-service/waivers';
import type { z } from 'zod';

/** Answers as they are stored: without those that are `null`. */
export function givenAnswers(
  answers: Readonly<Record<string, JsonValue | undefined>>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([answerName, value]) =>
      value === undefined || value === null ? [] : [[answerName, value] as const],
    ),
  );
}

const predefinedSchemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(changedAnswersSchema.shape));

/**
 * A value as the waiver API takes it for an answer, by the answer's name; undefined if it refuses the value. By the same
 * steps as a request's body, so that what is pre-filled can be sent back.
 */
export function answerOf(name: string, value: unknown): JsonValue | undefined {
  const textSchema = typeof value === 'string' ? predefinedSchemas.get(name) : undefined;
  // Hot path, run over every guest of every booking: JSON carries a text as it is, so it needs no body around it.
  if (typeof value === 'string' && textSchema !== undefined)
    return isStorableText(value) && textSchema.safeParse(value).success ? value : undefined;
  const sent = parseJson(JSON.stringify({ [name]: value }));
  if (findUnstorable(sent) !== undefined) return undefined;
  const { data = {} } = changedAnswersSchema.safeParse(sent);
  return givenAnswers(data)[name];
}
