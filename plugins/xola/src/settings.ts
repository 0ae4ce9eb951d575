import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const longestSession = 14 * 24 * 60;
// Older versions know an order of one experience, without items.
const firstVersionWithItems = '2017-09-28';

/** What holds for every account. */
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
      'The version of Xola’s API to ask for. It is always sent: without one the seller’s own counts, and an old one knows no items.',
    ),
});

/** What one seller brings. */
export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The API key of the seller’s user in Xola.'),
  durationMinutes: z
    .int()
    .min(1)
    .max(longestSession)
    .optional()
    .describe('How long a session lasts, in minutes: Xola gives its start only.'),
});

/** See {@link settingsSchema}. */
export type Settings = z.infer<typeof settingsSchema>;
/** See {@link accountSchema}. */
export type Account = z.infer<typeof accountSchema>;
/** What a call is given. */
export type Context = BookingSystemContext<Settings, Account>;
