import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const settingsSchema = z.object({
  secretKey: partnerApiKeySchema.describe('The secret key that Bookeo gave to this service’s application.'),
});

export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The API key that the account gave to this service’s application.'),
  waiverField: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default('Waiver')
    .describe('Name or id of the customer custom field (multi-line text) that takes the waivers.'),
});

export type Settings = z.infer<typeof settingsSchema>;
export type Account = z.infer<typeof accountSchema>;
export type Context = BookingSystemContext<Settings, Account>;
