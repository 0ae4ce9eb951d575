import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema, isTimeZone, type NoSettings } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The client secret of the venue’s API key.'),
  clientId: z.string().trim().min(1).max(256).describe('The client id of the venue’s API key.'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'a time zone such as Australia/Brisbane')
    .optional()
    .describe('The venue’s (IANA). Required only if ROLLER does not name it in this form.'),
});

export type Account = z.infer<typeof accountSchema>;
export type Context = BookingSystemContext<NoSettings, Account>;
