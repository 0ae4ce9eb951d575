import { accountIdSchema } from '@waiver-service/core';
import type { InstallationSummary } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';

/** One installation of a pool. Never has the apiKey or other account information. */
export const installationSchema = z.object({
  bookingSystem: z.string(),
  accountId: accountIdSchema,
  installedAt: dateTimeSchema,
  status: z.enum(['active', 'paused']).describe('paused: Guest Updates are not sent at present.'),
  shareProperties: z.array(z.string()).describe('Answers that may go to the booking system.'),
  shareAllowedBy: z.string().nullable().describe('Who said so; null where nothing was ever shared.'),
  shareAllowedAt: dateTimeSchema.nullable(),
  lastSuccessAt: dateTimeSchema.optional().describe('When a Guest Update last arrived.'),
  lastFailure: z
    .object({ at: dateTimeSchema, errorCode: z.string().optional(), status: z.int().optional() })
    .optional()
    .describe('The last Guest Update that did not arrive.'),
});

/** An installation of the store as the HTTP API answers it. */
export function installationAnswer(summary: InstallationSummary): z.infer<typeof installationSchema> {
  const { shareAllowedAt, lastSuccessAt, lastFailure } = summary;
  return {
    bookingSystem: summary.bookingSystem,
    accountId: summary.accountId,
    installedAt: toDateTime(summary.installedAt),
    status: summary.status,
    shareProperties: [...summary.shareProperties],
    shareAllowedBy: summary.shareAllowedBy,
    shareAllowedAt: shareAllowedAt && toDateTime(shareAllowedAt),
    ...(lastSuccessAt ? { lastSuccessAt: toDateTime(lastSuccessAt) } : {}),
    ...(lastFailure ? { lastFailure: { ...lastFailure, at: toDateTime(lastFailure.at) } } : {}),
  };
}
