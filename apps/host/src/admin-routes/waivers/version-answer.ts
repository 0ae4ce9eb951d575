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
        'The version that was replaced; 0 for the first. A move skips one number: the version in between withdrew the waiver from its previous booking or guest.',
      ),
    at: dateTimeSchema,
    actor: z
      .string()
      .optional()
      .describe(
        'Who made the version: `admin-token`, `credential:<id>`, `oidc:<subject>`, `access-token:<id>`, `check-in-link:<id>`, `kiosk:<id>`, `check-in`, or `booking-system:<install name>` if the waiver followed its booking. Absent if unknown.',
      ),
    actorName: z.string().optional(),
    fields: z
      .array(z.object({ field: z.enum(versionedFields), before: z.unknown(), after: z.unknown() }))
      .describe('The changed fields other than answers; empty for the first version.'),
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
        'The changed answers; empty for the first version. Values are absent once the answer has been removed. null for a viewer.',
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
