import { isInvisibleText } from '@waiver-service/core';
import type { JsonValue } from '@waiver-service/waivers';
import { z } from 'zod';
import { answerNameMaxLength, problemOfAnswerName } from './answer-names.ts';
import {
  answerMaxDepth,
  answerTextMaxLength,
  hasShortTexts,
  isJsonValue,
  isWithinDepth,
} from './json-value.ts';

/** The maximum number of answers in one request. */
export const answersMaxCount = 200;

const text = (maxLength: number) => z.string().max(maxLength).nullish();

const name = z
  .string()
  .min(1)
  .max(500)
  .refine((value) => !isInvisibleText(value), 'the guest’s name is blank');

// In the guest's time zone, which is unknown: the first one to reach a new day is 14 hours ahead of UTC.
const firstZoneAheadMs = 14 * 3_600_000;
const isInTheFuture = (day: string) =>
  day > new Date(Date.now() + firstZoneAheadMs).toISOString().slice(0, 10);

const dateOfBirth = z.iso
  .date({ error: 'a date written YYYY-MM-DD, such as 1990-02-28', abort: true })
  .refine(
    (day) => day >= '1850-01-01' && !isInTheFuture(day),
    'a date of birth is not in the future nor before 1850',
  );

// The predefined properties except `name`, and their values.
const predefinedAnswers = {
  email: text(320),
  phoneNumber: text(100),
  dateOfBirth: dateOfBirth.nullish().describe('Date of birth, as YYYY-MM-DD.'),
  howHeard: text(answerTextMaxLength).describe('How the guest heard about the operator.'),
  emergencyName: text(500),
  emergencyPhone: text(100),
  emergencyRelationship: text(200),
  guardianName: text(500),
  minor: z.boolean().nullish(),
  height: z.number().positive().max(300).nullish().describe('Height in centimeters.'),
  weight: z.number().positive().max(700).nullish().describe('Weight in kilograms.'),
  notes: text(answerTextMaxLength),
  feedback: text(answerTextMaxLength),
};

const anyAnswer = z.unknown().transform((value, context): JsonValue => {
  if (!isWithinDepth(value, answerMaxDepth)) {
    context.addIssue(`arrays and objects go deeper than ${answerMaxDepth}`);
  } else if (!isJsonValue(value)) {
    context.addIssue('holds a number that JSON cannot carry');
  } else if (!hasShortTexts(value, answerTextMaxLength)) {
    context.addIssue(`holds a text longer than ${answerTextMaxLength}`);
  } else {
    return value;
  }
  return z.NEVER;
});

function checkNames(answers: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const names = Object.keys(answers);
  if (names.length > answersMaxCount) {
    context.addIssue(`${names.length} answers, where ${answersMaxCount} is the most`);
    return;
  }
  for (const answerName of names) {
    const message = problemOfAnswerName(answerName);
    if (message) {
      context.addIssue({ code: 'custom', path: [answerName.slice(0, answerNameMaxLength)], message });
    }
  }
}

/** The answers of a new waiver: `name` is required, `null` means no answer. */
export const newAnswersSchema = z
  .object({ name, ...predefinedAnswers })
  .catchall(anyAnswer)
  .superRefine(checkNames)
  .describe('The guest’s answers by property name.');

/** Answers to merge into the existing ones: `null` removes one. `name` can be changed but not removed. */
export const changedAnswersSchema = z
  .object({ name: name.optional(), ...predefinedAnswers })
  .catchall(anyAnswer)
  .superRefine(checkNames)
  .describe('Answers to merge into the existing ones, by property name; null removes an answer.');

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
