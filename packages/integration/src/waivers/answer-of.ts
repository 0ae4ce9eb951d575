import { changedAnswersSchema } from '@waiver-service/api';
import { findUnstorable, parseJson } from '@waiver-service/http';
import type { JsonValue } from '@waiver-service/waivers';

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

/**
 * A value as the waiver API takes it for an answer, by the answer's name; undefined if it refuses the value. By the same
 * steps as a request's body, so that what is pre-filled can be sent back.
 */
export function answerOf(name: string, value: unknown): JsonValue | undefined {
  const sent = parseJson(JSON.stringify({ [name]: value }));
  if (findUnstorable(sent) !== undefined) return undefined;
  const { data = {} } = changedAnswersSchema.safeParse(sent);
  return givenAnswers(data)[name];
}
