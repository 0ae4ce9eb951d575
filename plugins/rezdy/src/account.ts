import type { BookingSystemContext } from '@waiver-service/core';
import { installedAccountSchema, isTimeZone, type NoSettings } from '@waiver-service/plugin-kit';
import { z } from 'zod';

export const accountSchema = installedAccountSchema.extend({
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'a time zone such as Australia/Sydney')
    .optional()
    .describe('The account’s (IANA), for items that come without UTC times.'),
});

export type Account = z.infer<typeof accountSchema>;
export type Context = BookingSystemContext<NoSettings, Account>;
