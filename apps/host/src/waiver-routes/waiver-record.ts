import type { WaiverRecord } from '@waiver-service/waivers';
import { z } from 'zod';
import { dateTimeSchema } from '../http/date-time.ts';
import { redactedSchema } from '../http/guest-data.ts';

type AnsweredField = Exclude<keyof WaiverRecord, 'lastVisitSource' | 'begun'>;

export const waiverRecordSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    bookingSystem: z.string().nullable(),
    bookingId: z.string().nullable(),
    bookingGuestId: z.string().nullable(),
    activities: z.array(z.string()),
    lastVisit: dateTimeSchema,
    currentPage: z
      .string()
      .nullable()
      .describe('Current step of a multi-step waiver; null once the waiver is finished.'),
    answers: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The guest’s answers by property name; null for a viewer, and for an access token that may only write.',
      ),
    validUntil: z.iso
      .date()
      .nullable()
      .describe(
        'Last day on which a waiver signed on the check-in page is valid, in the pool’s time zone; null if it does not expire, or was stored through this API.',
      ),
    reuseOf: z
      .string()
      .nullable()
      .describe(
        'Id of the waiver that the returning guest confirmed instead of signing again; null otherwise.',
      ),
    deleted: z.boolean().describe('Whether the waiver was voided.'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema.describe('The time of the last stored change; strictly increasing per record.'),
    version: z.int().describe('The number of stored changes.'),
  } satisfies { [Field in AnsweredField]: z.ZodType })
  .extend({ redacted: redactedSchema })
  .meta({ id: 'WaiverRecord' });

/** A record in the form of {@link waiverRecordSchema}; `withAnswers` is false if the caller may not see them. */
export function waiverRecordAnswer(
  { lastVisitSource: _, begun: _begun, ...record }: WaiverRecord,
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
