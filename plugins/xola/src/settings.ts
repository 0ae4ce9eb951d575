import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const maxDurationMinutes = 14 * 24 * 60;
// In older versions an order has a single experience instead of items.
const firstVersionWithItems = '2017-09-28';

export const settingsSchema = z.object({
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'a version such as 2020-05-04')
    .refine(
      (version) => version >= firstVersionWithItems,
      `${firstVersionWithItems} or later: older versions have no items`,
    )
    .default('2020-05-04')
    .describe(
      'The version of Xola’s API to request. It is always sent: the default would be the seller’s own version, which may be too old to have items.',
    ),
  webhookSecret: z
    .string()
    .regex(/^[\w~-]{16,200}$/, '16 to 200 letters, digits, _, ~ and -')
    .optional()
    .describe(
      'A secret of your own, in the URL that your app is registered with in Xola: …/integration/webhook/xola?secret=<webhookSecret>. Without it, Xola’s calls are refused.',
    ),
});

export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The API key of the seller’s user in Xola.'),
  durationMinutes: z
    .int()
    .min(1)
    .max(maxDurationMinutes)
    .optional()
    .describe('Duration of a session in minutes: Xola gives only its start.'),
});

export type Settings = z.infer<typeof settingsSchema>;
export type Account = z.infer<typeof accountSchema>;
export type Context = BookingSystemContext<Settings, Account>;
