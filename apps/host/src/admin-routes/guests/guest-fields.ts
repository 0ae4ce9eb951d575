import { waiverIdSchema } from '@waiver-service/core';
import type { Erasure, GuestReference, Hold } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';

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
      .describe(
        'All records of the pool that have this answer `email`, in whichever case it is written, or had it before.',
      ),
  })
  .refine(
    ({ waiverId, email }) => (waiverId === undefined) !== (email === undefined),
    'either waiverId or email is expected',
  );

export function guestOf({ waiverId, email }: z.infer<typeof guestSchema>): GuestReference {
  return waiverId === undefined ? { email: email ?? '' } : { waiverId };
}

export const holdSchema = z
  .object({
    reason: z.string().nullable().describe('null for a viewer.'),
    by: z.string().describe('Who placed it, as in the audit log.'),
    at: dateTimeSchema,
  })
  .meta({ id: 'Hold' });

/** A hold in the form of {@link holdSchema}; `withReason` is false if the caller may not see it. */
export const holdAnswer = (hold: Hold, withReason: boolean): z.input<typeof holdSchema> =>
  withReason ? hold : { ...hold, reason: null };

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
    giveUpAt: dateTimeSchema.describe('When everything is erased, even if a destination could not be told.'),
    doneAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Erasure' });

export const erasureAnswer = (erasure: Erasure): z.input<typeof erasureSchema> => ({
  ...erasure,
  heldWaivers: [...erasure.heldWaivers],
});

export const erasedWaiverSchema = z
  .object({
    id: z.string(),
    erasureId: z.string().describe('The erasure that it went with.'),
    askedBy: z.string().describe('As in the audit log.'),
    askedAt: dateTimeSchema.describe('From then on, the record cannot be read.'),
    erasedAt: dateTimeSchema.nullable().describe('When it was emptied; null for the moment until then.'),
  })
  .meta({ id: 'ErasedWaiver' });
