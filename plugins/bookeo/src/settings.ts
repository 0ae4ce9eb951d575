import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

/** What Bookeo gave to this service as a whole. */
export const settingsSchema = z.object({
  secretKey: partnerApiKeySchema.describe('The secret key that Bookeo gave to this service’s application.'),
});

/** What one account brings. */
export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The API key that the account gave to this service’s application.'),
  waiverField: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default('Waiver')
    .describe(
      'The customer custom field, of several lines of text, that takes the waivers: its name or its id.',
    ),
});

/** See {@link settingsSchema}. */
export type Settings = z.infer<typeof settingsSchema>;
/** See {@link accountSchema}. */
export type Account = z.infer<typeof accountSchema>;
/** What a call is given. */
export type Context = BookingSystemContext<Settings, Account>;
