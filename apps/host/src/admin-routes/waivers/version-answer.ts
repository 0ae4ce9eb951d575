import type { WaiverVersion } from '@waiver-service/store';
import { type AnswerChange, versionedFields } from '@waiver-service/waivers';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';
import { redactedSchema } from '../../http/guest-data.ts';

const value = z.unknown().optional();

export const versionSchema = z
  .object({
    version: z.int(),
    formerVersion: z
      .int()
      .describe(
        'The version that it replaced; 0: none. Two less where the waiver moved: the version between took it back from its former place.',
      ),
    at: dateTimeSchema,
    actor: z
      .string()
      .optional()
      .describe(
        '`admin-token`, `credential:<id>`, `access-token:<id>`, or `booking-system:<install name>` where the waiver followed its booking. Absent if it is not known.',
      ),
    actorName: z.string().optional(),
    fields: z
      .array(z.object({ field: z.enum(versionedFields), before: z.unknown(), after: z.unknown() }))
      .describe('The fields that changed, but for the answers; none for the first version.'),
    answers: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(['added', 'changed', 'removed']),
          before: value,
          after: value,
        }),
      )
      .nullable()
      .describe(
        'The answers that changed; none for the first version. Values are absent once the answer was removed. null for a viewer.',
      ),
    redacted: redactedSchema,
  })
  .meta({ id: 'WaiverVersion' });

type VersionAnswer = z.input<typeof versionSchema>;

const answerChange = ([name, change]: readonly [string, AnswerChange]) => ({ name, ...change });

export function versionAnswer(
  { version, formerVersion, at, by, fields, answers }: WaiverVersion,
  withAnswers: boolean,
): VersionAnswer {
  return {
    version,
    formerVersion,
    at,
    ...(by === undefined ? {} : { actor: by.id, ...(by.name === null ? {} : { actorName: by.name }) }),
    fields: [...fields],
    ...(withAnswers
      ? { answers: Object.entries(answers).map(answerChange) }
      : { answers: null, redacted: true as const }),
  };
}
