import { waiverIdSchema } from '@waiver-service/core';
import type { Erasure, GuestReference, Hold } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';

/** Names a guest: by one record, or by the answer `email`. */
export const guestSchema = z
  .strictObject({
    waiverId: waiverIdSchema
      .optional()
      .describe(
        'The id of a record of the guest; records that confirm it (`reuseOf`) are included. Omitted if `email` is present.',
      ),
    email: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe(
        'The e-mail address of the guest, ignoring case: all records of the pool whose answer `email` is or once was this address.',
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
    reason: z.string().nullable().describe('Why the record is on hold; null for a viewer.'),
    by: z.string().describe('Who placed the hold, as in the audit log.'),
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
        '`telling` while destinations are notified that the records are deleted; `done` when only tombstones are left.',
      ),
    waivers: z.int().describe('The number of records that the erasure covers.'),
    heldWaivers: z
      .array(z.string())
      .describe('The ids of the guest’s records that are on hold and not erased; at most 100.'),
    askedBy: z.string().describe('Who requested the erasure, as in the audit log.'),
    askedAt: dateTimeSchema,
    giveUpAt: dateTimeSchema.describe(
      'When everything is erased even if a destination could not be notified.',
    ),
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
    erasureId: z.string().describe('The id of the erasure that covers the record.'),
    askedBy: z.string().describe('Who requested the erasure, as in the audit log.'),
    askedAt: dateTimeSchema.describe(
      'When the erasure was requested. Since then, the record cannot be read.',
    ),
    erasedAt: dateTimeSchema.nullable().describe('When the data of the record was erased; null until then.'),
  })
  .meta({ id: 'ErasedWaiver' });
