import type { waiverRecordSchema } from '@waiver-service/api';
import type { WaiverRecord } from '@waiver-service/waivers';
import type { z } from 'zod';

type AnsweredField = Exclude<keyof WaiverRecord, 'lastVisitSource' | 'begun'>;

/** A record in the form of {@link waiverRecordSchema}; `withAnswers` is false if the caller may not see them. */
export function waiverRecordAnswer(
  { lastVisitSource: _, begun: _begun, ...record }: WaiverRecord,
  withAnswers: boolean,
): Pick<z.input<typeof waiverRecordSchema>, AnsweredField | 'redacted'> {
  return {
    ...record,
    activities: [...record.activities],
    ...(withAnswers ? { answers: { ...record.answers } } : { answers: null, redacted: true as const }),
    lastVisit: record.lastVisit,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
