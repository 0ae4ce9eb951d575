import { waiverIdSchema } from '@waiver-service/core';
import type { ErasedWaiver, Erasure, GuestReference, Hold } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';

/** Names a guest: by one record, or by the answer `email`. */
export const guestSchema = z
  .strictObject({
    waiverId: waiverIdSchema.optional().describe('One record.'),
    email: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe('All records of the pool with this answer `email`, in whichever case it is written.'),
  })
  .refine(
    ({ waiverId, email }) => (waiverId === undefined) !== (email === undefined),
    'either waiverId or email is expected',
  );

/** The guest that a request names. */
export function guestOf({ waiverId, email }: z.infer<typeof guestSchema>): GuestReference {
  return waiverId === undefined ? { email: email ?? '' } : { waiverId };
}

/** A hold. */
export const holdSchema = z
  .object({
    reason: z.string().nullable().describe('null for a viewer.'),
    by: z.string().describe('Who placed it, as in the audit log.'),
    at: dateTimeSchema,
  })
  .meta({ id: 'Hold' });

/** A hold in the form of {@link holdSchema}; `withReason` is false if the caller may not see it. */
export const holdAnswer = ({ reason, by, at }: Hold, withReason: boolean): z.infer<typeof holdSchema> => ({
  reason: withReason ? reason : null,
  by,
  at: toDateTime(at),
});

/** An erasure. */
export const erasureSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z
      .enum(['telling', 'done'])
      .describe(
        '`telling` while destinations are told that the records are gone; then nothing is left of them.',
      ),
    waivers: z.int().describe('The number of records.'),
    heldWaivers: z
      .array(z.string())
      .describe('Records of the guest that a hold keeps, and that are not erased; a hundred at most.'),
    askedBy: z.string().describe('As in the audit log.'),
    askedAt: dateTimeSchema,
    giveUpAt: dateTimeSchema.describe('When all is erased even if a destination could not be told.'),
    doneAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Erasure' });

/** An erasure in the form of {@link erasureSchema}. */
export function erasureAnswer(erasure: Erasure): z.infer<typeof erasureSchema> {
  const { id, pool, state, waivers, heldWaivers, askedBy, askedAt, giveUpAt, doneAt } = erasure;
  return {
    id,
    pool,
    state,
    waivers,
    heldWaivers: [...heldWaivers],
    askedBy,
    askedAt: toDateTime(askedAt),
    giveUpAt: toDateTime(giveUpAt),
    doneAt: doneAt && toDateTime(doneAt),
  };
}

/** The tombstone of an erased record. */
export const erasedWaiverSchema = z
  .object({
    id: z.string(),
    erasureId: z.string().describe('The erasure that it went with.'),
    askedBy: z.string().describe('As in the audit log.'),
    askedAt: dateTimeSchema.describe('From then on, nobody can read the record.'),
    erasedAt: dateTimeSchema.nullable().describe('When it was emptied; null for the moment until then.'),
  })
  .meta({ id: 'ErasedWaiver' });

/** A tombstone in the form of {@link erasedWaiverSchema}. */
export const erasedWaiverAnswer = ({
  askedAt,
  erasedAt,
  ...rest
}: ErasedWaiver): z.infer<typeof erasedWaiverSchema> => ({
  ...rest,
  askedAt: toDateTime(askedAt),
  erasedAt: erasedAt && toDateTime(erasedAt),
});
