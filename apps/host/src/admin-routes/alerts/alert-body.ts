import { addressSchema, mailAddressSchema, webhookAuthSchema } from '@waiver-service/api';
import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import type { Mailer } from '../../alerts/mailer.ts';
import { malformed } from '../../http/http-problem.ts';
import { alertEventSchema } from './alert-answer.ts';

const maxPoolsOfAlert = 100;

const common = {
  name: z
    .string()
    .max(200)
    .refine((name) => name.trim() !== '', 'the name is blank')
    .describe('A name by which people recognize the alert.'),
  events: z
    .array(alertEventSchema)
    .min(1)
    .max(20)
    .transform((events) => [...new Set(events)])
    .optional()
    .describe('The events that trigger the alert; all events by default.'),
  pools: z
    .array(poolIdSchema)
    .min(1)
    .max(maxPoolsOfAlert)
    .transform((pools) => [...new Set(pools)])
    .nullable()
    .optional()
    .describe(
      'The pools that the alert covers; null (the default) covers all pools and events without a pool, such as `fault`.',
    ),
};

const webhookFields = {
  url: addressSchema,
  auth: webhookAuthSchema,
  signing: z.boolean().optional().describe('Whether to sign messages (Standard Webhooks).'),
};

export const newAlertSchema = z
  .strictObject({
    ...common,
    url: webhookFields.url.optional(),
    auth: webhookFields.auth.optional(),
    signing: webhookFields.signing,
    email: mailAddressSchema.optional(),
  })
  .superRefine(({ url, auth, signing, email }, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (url === undefined && email === undefined) wrong('url', 'a url or an email is needed');
    if (url !== undefined && auth === undefined)
      wrong('auth', 'is needed with a url: {"type":"none"} for none');
    if (email === undefined) return;
    if (url !== undefined) wrong('email', 'either a url or an email, not both');
    if (auth !== undefined) wrong('auth', 'only a url has it');
    if (signing !== undefined) wrong('signing', 'only a url has it');
  });

export const alertChangeSchema = z
  .strictObject({ ...common, ...webhookFields, email: mailAddressSchema })
  .partial();

/** @throws HttpProblem 400 that names the settings if this host sends no mail */
export function requireMailer(mailer: Mailer | undefined): void {
  if (mailer !== undefined) return;
  const message = 'this host sends no mails: set SMTP_URL and ALERT_FROM, or give a url instead';
  throw malformed([{ path: 'email', message }]);
}
