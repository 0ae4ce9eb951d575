import { accountIdSchema } from '@waiver-service/core';
import type { InstallationSummary } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';

export const webhookRegistrationSchema = z
  .object({
    state: z
      .enum(['registering', 'registered', 'failing'])
      .describe(
        '`failing`: the last attempt to register the webhooks failed; it is repeated in the background.',
      ),
    registeredAt: dateTimeSchema
      .optional()
      .describe('When the webhooks were last registered or found to be in order.'),
    lastFailure: z.object({ at: dateTimeSchema, code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'WebhookRegistration' });

/** One installation of a pool, without its apiKey or other account information. */
export const installationSchema = z
  .object({
    bookingSystem: z.string(),
    accountId: accountIdSchema,
    installedAt: dateTimeSchema,
    status: z
      .enum(['active', 'pending', 'needs_attention'])
      .describe(
        '`pending`: nothing is read or sent until an operator approves the installation. `needs_attention`: the booking system refuses the authorization; Guest Updates are kept until this is resolved.',
      ),
    attention: z
      .object({ since: dateTimeSchema, reason: z.string() })
      .optional()
      .describe('Since when and why the installation needs attention, and what to do.'),
    paused: z
      .boolean()
      .describe(
        'Whether the destination of the installation is paused; Guest Updates are kept until it is resumed.',
      ),
    approvedBy: z
      .string()
      .nullable()
      .describe('Who approved the installation; null if it is pending or needed no approval.'),
    approvedAt: dateTimeSchema.nullable(),
    baseUrl: z
      .string()
      .nullable()
      .describe(
        'The base address used instead of the booking system’s; null if the booking system’s is used.',
      ),
    environment: z.enum(['live', 'test']).nullable(),
    shareProperties: z
      .array(z.string())
      .describe('The names of the answers that may be sent to the booking system.'),
    shareDocument: z
      .boolean()
      .describe('Whether the signed document, without answers on health, may be sent to the booking system.'),
    shareAllowedBy: z
      .string()
      .nullable()
      .describe('Who last set what may be shared with the booking system; null if never set.'),
    shareAllowedAt: dateTimeSchema.nullable(),
    lastSuccessAt: dateTimeSchema.optional().describe('When a Guest Update was last delivered.'),
    lastFailure: z
      .object({ at: dateTimeSchema, errorCode: z.string().optional(), status: z.int().optional() })
      .optional()
      .describe('The last failed attempt to deliver a Guest Update.'),
    webhooks: webhookRegistrationSchema
      .optional()
      .describe(
        'The registration of webhooks with the vendor; absent if the service registers none for this installation.',
      ),
  })
  .meta({ id: 'Installation' });

export const installationAnswer = (summary: InstallationSummary): z.input<typeof installationSchema> => ({
  ...summary,
  shareProperties: [...summary.shareProperties],
});
