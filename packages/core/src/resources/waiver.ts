import { z } from 'zod';
import { utcDateTimeSchema } from '../date-time.ts';
import { waiverIdSchema } from '../identifiers.ts';

const dateTime = z.iso.datetime({ precision: 3 }).describe('ISO 8601 with milliseconds and Z.');

/** The contract's own fields of a webhook guest, in its order (2.6). */
export const webhookGuestFieldNames = [
  'id',
  'pool',
  'activities',
  'createdAt',
  'updatedAt',
  'lastVisit',
  'deleted',
  'feedback',
  'currentPage',
  'reservationsID',
  'reservationsService',
] as const;

/** A guest as the webhook sends it (contract 2.6): the contract's fields and the answers that the webhook selects. */
export const webhookGuestSchema = z.looseObject({
  id: z.string(),
  pool: z.string(),
  activities: z.array(z.string()),
  createdAt: dateTime,
  updatedAt: dateTime,
  lastVisit: dateTime,
  deleted: z.boolean(),
  feedback: z.string(),
  currentPage: z.string().nullable(),
  reservationsID: z.string().nullable(),
  reservationsService: z.string(),
});

/** The body of the guest webhook (contract 4.3). */
export const guestWebhookSchema = z.object({ guest: webhookGuestSchema });

/** See {@link webhookGuestSchema}. */
export type WebhookGuest = z.infer<typeof webhookGuestSchema>;
/** See {@link guestWebhookSchema}. */
export type GuestWebhook = z.infer<typeof guestWebhookSchema>;

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
