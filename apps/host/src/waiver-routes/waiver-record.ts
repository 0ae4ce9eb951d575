import type { WaiverRecord } from '@waiver-service/waivers';
import { z } from 'zod';
import { dateTimeSchema } from '../http/date-time.ts';
import { redactedSchema } from '../http/guest-data.ts';

type AnsweredField = Exclude<keyof WaiverRecord, 'lastVisitSource'>;

export const waiverRecordSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    bookingSystem: z.string().nullable(),
    bookingId: z.string().nullable(),
    bookingGuestId: z.string().nullable(),
    activities: z.array(z.string()),
    lastVisit: dateTimeSchema,
    currentPage: z.string().nullable().describe('The step of a multi-step waiver; null when it is finished.'),
    answers: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('null for a viewer, and for an access token that may only write.'),
    validUntil: z.iso
      .date()
      .nullable()
      .describe(
        'The last day on which what was signed on the check-in page is valid, in the time zone of the pool; null: it has no end, or came by this API.',
      ),
    reuseOf: z
      .string()
      .nullable()
      .describe('The waiver that the returning guest confirmed instead of signing again.'),
    deleted: z.boolean().describe('Whether it was voided.'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema.describe('The time of the last stored change; strictly increasing per record.'),
    version: z.int().describe('The number of stored changes.'),
  } satisfies { [Field in AnsweredField]: z.ZodType })
  .extend({ redacted: redactedSchema })
  .meta({ id: 'WaiverRecord' });

/** A record in the form of {@link waiverRecordSchema}; `withAnswers` is false if the caller may not see them. */
export function waiverRecordAnswer(
  { lastVisitSource: _, ...record }: WaiverRecord,
  withAnswers: boolean,
): z.input<typeof waiverRecordSchema> {
  return {
    ...record,
    activities: [...record.activities],
    ...(withAnswers ? { answers: { ...record.answers } } : { answers: null, redacted: true as const }),
    lastVisit: record.lastVisit,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
