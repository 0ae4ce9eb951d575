import { accountIdSchema } from '@waiver-service/core';
import type { InstallationSummary, WebhookRegistration } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';

/** The webhooks that the service registers at the vendor. */
export const webhookRegistrationSchema = z
  .object({
    state: z
      .enum(['registering', 'registered', 'failing'])
      .describe('`failing`: the last attempt failed; it is repeated in the background.'),
    registeredAt: dateTimeSchema.optional().describe('When they were last found in order.'),
    lastFailure: z.object({ at: dateTimeSchema, code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'WebhookRegistration' });

/** A registration of the store as the HTTP API answers it. */
export function webhookRegistrationAnswer({
  state,
  registeredAt,
  lastFailure,
}: WebhookRegistration): z.infer<typeof webhookRegistrationSchema> {
  return {
    state,
    ...(registeredAt ? { registeredAt: toDateTime(registeredAt) } : {}),
    ...(lastFailure ? { lastFailure: { ...lastFailure, at: toDateTime(lastFailure.at) } } : {}),
  };
}

/** One installation of a pool, without the apiKey and other account information. */
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

/** An installation of the store as the HTTP API answers it. */
export function installationAnswer(summary: InstallationSummary): z.infer<typeof installationSchema> {
  const { attention, approvedAt, shareAllowedAt, lastSuccessAt, lastFailure, webhooks } = summary;
  return {
    bookingSystem: summary.bookingSystem,
    accountId: summary.accountId,
    installedAt: toDateTime(summary.installedAt),
    status: summary.status,
    ...(attention ? { attention: { ...attention, since: toDateTime(attention.since) } } : {}),
    paused: summary.paused,
    approvedBy: summary.approvedBy,
    approvedAt: approvedAt && toDateTime(approvedAt),
    baseUrl: summary.baseUrl,
    environment: summary.environment,
    shareProperties: [...summary.shareProperties],
    shareAllowedBy: summary.shareAllowedBy,
    shareAllowedAt: shareAllowedAt && toDateTime(shareAllowedAt),
    ...(webhooks ? { webhooks: webhookRegistrationAnswer(webhooks) } : {}),
    ...(lastSuccessAt ? { lastSuccessAt: toDateTime(lastSuccessAt) } : {}),
    ...(lastFailure ? { lastFailure: { ...lastFailure, at: toDateTime(lastFailure.at) } } : {}),
  };
}
