import { z } from 'zod';

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
