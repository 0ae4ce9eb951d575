import { changedAnswersSchema } from '@waiver-service/api';
import type { JsonValue } from '@waiver-service/waivers';
import { findUnstorable } from '../http/json-body.ts';
import { parseJson } from '../http/json-number.ts';
import { givenAnswers } from './answers-schema.ts';

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
