import { waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import { z } from 'zod';

/** The maximum length of an answer's name, in UTF-16 code units. */
export const answerNameMaxLength = 128;

// `feedback` of the webhook is an answer of the guest; the other fields of contract 2.5 and 2.6 belong to the record.
const recordFieldNames: ReadonlySet<string> = new Set(
  [...waiverFieldNames, ...webhookGuestFieldNames].filter((name) => name !== 'feedback'),
);

/** Why a text cannot be the name of an answer; `undefined` if it can. */
export function problemOfAnswerName(name: string): string | undefined {
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
