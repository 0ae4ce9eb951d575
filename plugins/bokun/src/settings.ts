import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema, isTimeZone } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const settingsSchema = z.object({
  appSecret: partnerApiKeySchema
    .optional()
    .describe('The secret of this service’s app at Bókun: webhooks that it does not sign are refused.'),
});

export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The access key of an API key of the vendor’s.'),
  secretKey: partnerApiKeySchema.describe('The secret key that belongs to the access key; it is never sent.'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'a time zone such as Atlantic/Reykjavik')
    .describe('The vendor’s time zone (IANA): Bókun’s dates and start times are its local ones.'),
});

export type Settings = z.infer<typeof settingsSchema>;
export type Account = z.infer<typeof accountSchema>;
export type Context = Pick<BookingSystemContext<Settings, Account>, 'http' | 'account'>;
