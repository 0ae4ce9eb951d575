import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import {
  addressSchema,
  dateTimeSchema,
  deliveryStateSchema,
  mailAddressSchema,
  noContentSchema,
  pagesOf,
} from './fields.ts';
import { alertEvents, maxAlerts, maxAlertsPerPool } from './names.ts';
import { shownPoolsSchema } from './people.ts';
import { route } from './route.ts';
import { shownAuthSchema, testAnswerFields, webhookAuthSchema } from './webhooks.ts';

const alertEventSchema = z.enum(alertEvents).meta({ id: 'AlertEvent' });

/** An alert, without its credentials or signing secret. */
export const alertSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z
      .string()
      .optional()
      .describe('The URL that alerts are sent to; absent for an email alert. Viewers see only its origin.'),
    auth: shownAuthSchema.optional(),
    signing: z.boolean().optional().describe('Whether messages are signed; absent for an email alert.'),
    email: z.string().optional(),
    events: z.array(alertEventSchema),
    pools: shownPoolsSchema,
    destination: z.string().describe('The id of the destination that represents this alert’s receiver.'),
    status: z
      .enum(['active', 'paused', 'closed'])
      .describe('`paused`: sending is suspended, usually because the receiver has kept failing.'),
    consecutiveFailures: z.int(),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Alert' });

/** An alert that was just created or changed, with its signing secret if that is new. */
const alertWithSecretSchema = alertSchema
  .extend({
    signingSecret: z.string().optional().describe('The signing secret, if it is new. It is not shown again.'),
  })
  .meta({ id: 'AlertWithSecret' });

export const sentAlertSchema = z
  .object({
    id: z.string().describe('The id of the delivery that sent the alert.'),
    alert: z.string().describe('The id of the alert.'),
    alertName: z.string(),
    type: alertEventSchema,
    at: dateTimeSchema,
    pool: z.string().optional(),
    destination: z.string().optional().describe('The id of the affected destination.'),
    message: z.string(),
    leftOut: z
      .int()
      .describe('The number of occurrences since the previous message that were not sent separately.'),
    state: deliveryStateSchema,
  })
  .meta({ id: 'SentAlert' });

/** A sent alert. */
export type SentAlert = Readonly<z.input<typeof sentAlertSchema>>;

const maxPoolsOfAlert = 100;

const alertFields = {
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

const alertWebhookFields = {
  url: addressSchema,
  auth: webhookAuthSchema,
  signing: z.boolean().optional().describe('Whether to sign messages (Standard Webhooks).'),
};

export const newAlertSchema = z
  .strictObject({
    ...alertFields,
    url: alertWebhookFields.url.optional(),
    auth: alertWebhookFields.auth.optional(),
    signing: alertWebhookFields.signing,
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
  .strictObject({ ...alertFields, ...alertWebhookFields, email: mailAddressSchema })
  .partial();

const alertProblems = {
  409: `There are ${maxAlerts} alerts of all pools, or ${maxAlertsPerPool} of one of these pools (\`too_many_alerts\`).`,
};

export const createAlert = route.post('/v1/admin/alerts', {
  config: { access: 'operator', poolCheck: 'by-handler', problems: alertProblems },
  operationId: 'createAlert',
  summary: 'Create an alert that reports problems and recoveries by webhook or email',
  description:
    'The same event of a destination is reported at most once in 15 minutes, with the number of repeats. A caller limited to some pools must specify `pools`.',
  body: newAlertSchema,
  response: { 201: alertWithSecretSchema },
});

export const listAlerts = route.get('/v1/admin/alerts', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listAlerts',
  summary: 'List the alerts',
  description: 'A caller limited to some pools sees only the alerts that are limited to those pools.',
  ...pagesOf(alertSchema),
});

export const listSentAlerts = route.get('/v1/admin/sent-alerts', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listSentAlerts',
  summary: 'List the alerts sent in the last 90 days, newest first',
  ...pagesOf(sentAlertSchema),
});

export const readAlert = route.get('/v1/admin/alerts/:id', {
  config: { access: 'viewer', poolCheck: 'alert' },
  operationId: 'readAlert',
  summary: 'Read an alert',
  response: { 200: alertSchema },
});

export const changeAlert = route.patch('/v1/admin/alerts/:id', {
  config: { access: 'operator', poolCheck: 'alert', problems: alertProblems },
  operationId: 'changeAlert',
  summary: 'Change an alert',
  description:
    'Omitted fields stay unchanged, but if credentials are stored, a different `url` requires `auth` again. If the alert was paused because its receiver kept failing, sending is tried again immediately.',
  body: alertChangeSchema,
  response: { 200: alertWithSecretSchema },
});

export const deleteAlert = route.delete('/v1/admin/alerts/:id', {
  config: { access: 'operator', poolCheck: 'alert' },
  operationId: 'deleteAlert',
  summary: 'Remove an alert and cancel its waiting messages',
  response: { 204: noContentSchema },
});

const alertTestSchema = z.object({
  ok: z.boolean(),
  status: z
    .int()
    .optional()
    .describe(
      'The HTTP status of the receiver’s response, or the reply code of a mail server that refused the mail.',
    ),
  ...testAnswerFields,
});

export const testAlert = route.post('/v1/admin/alerts/:id/test', {
  config: { access: 'operator', poolCheck: 'alert' },
  operationId: 'testAlert',
  summary: 'Send a test alert now, and return the receiver’s answer',
  description: 'Sends a message whose `type` is `test`. It is not stored as a delivery.',
  response: { 200: alertTestSchema },
});
