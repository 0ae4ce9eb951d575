import { z } from 'zod';
import { utcDateTimeSchema } from '../date-time.ts';
import { waiverIdSchema } from '../identifiers.ts';

/** The seven fields that Guest Update always may carry, in the contract's order (2.5). */
export const waiverFieldNames = [
  'id',
  'pool',
  'bookingId',
  'bookingGuestId',
  'lastVisit',
  'deleted',
  'updatedAt',
] as const;

/** A waiver as Guest Update sends it (contract 2.5). Answers that the installation shares stand beside the seven fields. */
export const waiverSchema = z.looseObject({
  id: waiverIdSchema,
  pool: z.string(),
  bookingId: z.string(),
  bookingGuestId: z.string().optional().describe('Left out where the booking system gave no guest id.'),
  lastVisit: utcDateTimeSchema,
  deleted: z.boolean().describe('True: the waiver was voided and must be removed.'),
  updatedAt: utcDateTimeSchema,
});

/** The body of Guest Update (contract 4.2). */
export const guestUpdateSchema = z.object({ waiver: waiverSchema });

/** What a booking system answers to Guest Update (contract 4.2). */
export const guestUpdateResponseSchema = z.looseObject({ success: z.boolean() });

/** See {@link waiverSchema}. */
export type Waiver = z.infer<typeof waiverSchema>;
/** See {@link guestUpdateSchema}. */
export type GuestUpdate = z.infer<typeof guestUpdateSchema>;
