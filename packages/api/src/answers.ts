import { isInvisibleText, waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import { z } from 'zod';

/** The maximum length of an answer's name, in UTF-16 code units. */
const answerNameMaxLength = 128;

// `feedback` of the webhook is an answer of the guest; the other fields of contract 2.5 and 2.6 belong to the record.
const recordFieldNames: ReadonlySet<string> = new Set(
  [...waiverFieldNames, ...webhookGuestFieldNames].filter((name) => name !== 'feedback'),
);

/** Why a text cannot be the name of an answer; `undefined` if it can. */
function problemOfAnswerName(name: string): string | undefined {
  if (name === '') return 'the name of an answer is empty';
  if (name.length > answerNameMaxLength) return `the name of an answer is longer than ${answerNameMaxLength}`;
  if (recordFieldNames.has(name)) return `${name} is a field of the waiver record itself, not an answer`;
  return undefined;
}

/** A list of distinct names of answers: those that an installation shares or a webhook sends. */
export const answerNamesSchema = z
  .array(
    z.string().superRefine((name, context) => {
      const problem = problemOfAnswerName(name);
      if (problem) context.addIssue(problem);
    }),
  )
  .max(100)
  .transform((names) => [...new Set(names)]);

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

/** The maximum length of a text in an answer, in UTF-16 code units. */
const answerTextMaxLength = 10_000;

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

/** Whether arrays and objects in a value are nested no deeper than `depth`. Looks no deeper than that. */
export function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithinDepth(inner, depth - 1));
}

/** How deeply arrays and objects in an answer may be nested; a text or a number has depth 0. */
const answerMaxDepth = 5;

/** Whether JSON can represent a value exactly; it cannot represent a number that became infinite. */
export function isJsonValue(value: unknown): value is z.core.util.JSONType {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && Object.values(value).every(isJsonValue);
}

/** Whether every text in a value, including the names of members, is at most `length` long. */
function hasShortTexts(value: unknown, length: number): boolean {
  if (typeof value === 'string') return value.length <= length;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, inner]) => name.length <= length && hasShortTexts(inner, length),
  );
}

const anyAnswer = z.unknown().transform((value, context): z.core.util.JSONType => {
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
