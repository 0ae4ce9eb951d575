import { z } from 'zod';
import { utcDateTimeSchema } from '../date-time.ts';
import { waiverIdSchema } from '../identifiers.ts';

/** The contract's own fields of a waiver, in its order (2.5). */
export const waiverFieldNames = [
  'id',
  'pool',
  'bookingId',
  'bookingGuestId',
  'lastVisit',
  'deleted',
  'updatedAt',
] as const;

/**
 * A waiver as Guest Update sends it (contract 2.5): the contract's fields and the answers that the installation shares.
 */
export const waiverSchema = z.looseObject({
  id: waiverIdSchema,
  pool: z.string(),
  bookingId: z.string(),
  bookingGuestId: z
    .string()
    .optional()
    .describe('The guest’s id in the booking; omitted if the booking system gave no guest id.'),
  lastVisit: utcDateTimeSchema,
  deleted: z.boolean().describe('Whether the waiver was voided and must be removed.'),
  updatedAt: utcDateTimeSchema,
});

/** The body of Guest Update (contract 4.2). */
export const guestUpdateSchema = z.object({ waiver: waiverSchema });

/** The response to Guest Update (contract 4.2). */
export const guestUpdateResponseSchema = z.looseObject({ success: z.boolean() });

/** See {@link waiverSchema}. */
export type Waiver = z.infer<typeof waiverSchema>;
/** See {@link guestUpdateSchema}. */
export type GuestUpdate = z.infer<typeof guestUpdateSchema>;
