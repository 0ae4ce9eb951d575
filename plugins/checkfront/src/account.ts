import type { BookingSystemContext } from '@waiver-service/core';
import { installedAccountSchema, type NoSettings } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const accountSchema = installedAccountSchema.extend({
  // In HTTP Basic authentication, the key ends at the first colon.
  apiKey: installedAccountSchema.shape.apiKey.pipe(z.string().regex(/^[^:]+$/, 'an API key has no colon')),
  apiSecret: z.string().min(1).max(4096).describe('The API secret that belongs to the key.'),
  host: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'a host is what stands before .checkfront.com')
    .optional()
    .describe('The account’s name in https://<host>.checkfront.com; required unless baseUrl is set.'),
  apiV4: z
    .boolean()
    .optional()
    .describe('Whether the account and its key have API v4, which knows the guests and their names.'),
  guestParameters: z
    .array(z.string().trim().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .describe(
      'The ids of the booking parameters that count people, such as adults. Default: those with a usual name.',
    ),
});

export type Context = BookingSystemContext<NoSettings, z.infer<typeof accountSchema>>;
