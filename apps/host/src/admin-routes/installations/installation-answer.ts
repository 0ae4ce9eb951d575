import { accountIdSchema } from '@waiver-service/core';
import type { InstallationSummary } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';

export const webhookRegistrationSchema = z
  .object({
    state: z
      .enum(['registering', 'registered', 'failing'])
      .describe('`failing`: the last attempt failed; it is repeated in the background.'),
    registeredAt: dateTimeSchema.optional().describe('When they were last found in order.'),
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
        '`pending`: nothing is read or sent until an operator approves it. `needs_attention`: the booking system refuses its authorization; Guest Updates are kept meanwhile.',
      ),
    attention: z
      .object({ since: dateTimeSchema, reason: z.string() })
      .optional()
      .describe('Why it needs attention, and what to do.'),
    paused: z.boolean().describe('Whether its destination is paused; Guest Updates are kept meanwhile.'),
    approvedBy: z.string().nullable().describe('Who approved it; null if no approval was needed.'),
    approvedAt: dateTimeSchema.nullable(),
    baseUrl: z.string().nullable().describe('If it is not the booking system’s own.'),
    environment: z.enum(['live', 'test']).nullable(),
    shareProperties: z.array(z.string()).describe('Answers that may go to the booking system.'),
    shareDocument: z
      .boolean()
      .describe('Whether the signed document may go there, too, without answers on health.'),
    shareAllowedBy: z.string().nullable().describe('Who allowed it; null if nothing was ever shared.'),
    shareAllowedAt: dateTimeSchema.nullable(),
    lastSuccessAt: dateTimeSchema.optional().describe('When a Guest Update last arrived.'),
    lastFailure: z
      .object({ at: dateTimeSchema, errorCode: z.string().optional(), status: z.int().optional() })
      .optional()
      .describe('The last Guest Update that did not arrive.'),
    webhooks: webhookRegistrationSchema
      .optional()
      .describe('If the service registers the vendor’s webhooks for this installation.'),
  })
  .meta({ id: 'Installation' });

export const installationAnswer = (summary: InstallationSummary): z.input<typeof installationSchema> => ({
  ...summary,
  shareProperties: [...summary.shareProperties],
});
