import { type BookingSystemContext, partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const settingsSchema = z.object({
  appKey: partnerApiKeySchema.describe('The API app key that FareHarbor gave to this service.'),
  guestNameField: z
    .optional(z.string().min(1))
    .describe('Name or pk of the custom field with a guest’s name.'),
});

export const accountSchema = installedAccountSchema.extend({
  apiKey: partnerApiKeySchema.describe('The API user key of the company.'),
  shortname: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'a shortname has letters, digits, hyphens and underscores')
    .describe('The company’s shortname, as it stands in FareHarbor’s addresses.'),
  guestCountField: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Name or pk of the custom field with the number of people, such as of a private charter, which is booked as one customer.',
    ),
});

export type Context = BookingSystemContext<z.infer<typeof settingsSchema>, z.infer<typeof accountSchema>>;
