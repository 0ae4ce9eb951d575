import type { WaiverRecord } from '@waiver-service/waivers';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../http/date-time.ts';

/** A waiver record as the HTTP API answers it. */
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
    answers: z.record(z.string(), z.unknown()),
    deleted: z.boolean().describe('True once it was voided.'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema.describe('Of the last stored change; strictly increasing per record.'),
    version: z.int().describe('Counts the stored changes.'),
  })
  .meta({ id: 'WaiverRecord' });

/** A record of the store as the HTTP API answers it. */
export function waiverRecordAnswer(record: WaiverRecord): z.infer<typeof waiverRecordSchema> {
  return {
    id: record.id,
    pool: record.pool,
    bookingSystem: record.bookingSystem,
    bookingId: record.bookingId,
    bookingGuestId: record.bookingGuestId,
    activities: [...record.activities],
    lastVisit: toDateTime(record.lastVisit),
    currentPage: record.currentPage,
    answers: { ...record.answers },
    deleted: record.deleted,
    createdAt: toDateTime(record.createdAt),
    updatedAt: toDateTime(record.updatedAt),
    version: record.version,
  };
}
