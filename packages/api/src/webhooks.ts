import { z } from 'zod';
import { answerNamesSchema } from './answers.ts';
import { addressSchema, dateTimeSchema, noContentSchema, pagesOf } from './fields.ts';
import { route } from './route.ts';

/** Fields that the responses of alert tests and webhook tests share. */
export const testAnswerFields = {
  errorCode: z
    .string()
    .optional()
    .describe('Why the test failed, as in the attempts of a delivery; absent if it succeeded.'),
  message: z.string().optional().describe('The error message, if the receiver did not respond.'),
  response: z.string().optional().describe('The beginning of the receiver’s response.'),
  durationMs: z.int(),
};

const webhookTestSchema = z.object({
  ok: z.boolean(),
  guestId: z.string().describe('The id of the made-up guest record that was sent.'),
  status: z.int().optional().describe('The HTTP status of the receiver’s response.'),
  ...testAnswerFields,
});

export const testWebhook = route.post('/v1/admin/pools/:pool/webhooks/:id/test', {
  config: { access: 'operator' },
  operationId: 'testWebhook',
  summary: 'Send a made-up guest record now, and return the receiver’s response',
  description:
    'The id of the record begins with `test-`. The record has the fields of contract 2.6 and no further answers.',
  response: { 200: webhookTestSchema },
});

/** The authentication of a webhook without its credentials. */
export const shownAuthSchema = z
  .object({
    type: z.enum(['none', 'header', 'basic']),
    name: z.string().optional().describe('The name of the header; only for type `header`.'),
  })
  .meta({ id: 'ShownWebhookAuth' });

/** A webhook, without its credentials or signing secret. */
export const webhookSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    url: z.string(),
    auth: shownAuthSchema,
    properties: z
      .array(z.string())
      .describe('The names of the answers to send in addition to the fields of contract 2.6.'),
    signing: z.boolean().describe('Whether messages are signed (Standard Webhooks).'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Webhook' });

/** A webhook that was just created or changed, with its signing secret if that is new. */
const webhookWithSecretSchema = webhookSchema
  .extend({
    signingSecret: z.string().optional().describe('The signing secret, if it is new. It is not shown again.'),
  })
  .meta({ id: 'WebhookWithSecret' });

// Headers that the service sets, or that belong to the connection.
const ownHeaders: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

const headerName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'this is not the name of an HTTP header')
  .refine(
    (name) => !ownHeaders.has(name.toLowerCase()),
    'this header is set by the service or by the connection',
  );

const headerValue = z
  .string()
  .max(4096)
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    'a header’s value is of visible ASCII characters, and spaces only between them',
  );

const withoutControls = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what RFC 7617 forbids
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'control characters cannot be sent by Basic Auth');

/** How a webhook authenticates to its receiver (contract 5). */
export const webhookAuthSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('header'), name: headerName, value: headerValue }),
    z.strictObject({
      type: z.literal('basic'),
      username: withoutControls(256)
        .min(1)
        .refine(
          (username) => !username.includes(':'),
          'a username has no colon: Basic Auth would cut it there',
        ),
      password: withoutControls(1024),
    }),
  ])
  .describe('How messages authenticate to the receiver: not at all, by a custom header, or by Basic Auth.')
  .meta({ id: 'WebhookAuth' });

const webhookBodySchema = z.strictObject({
  url: addressSchema,
  auth: webhookAuthSchema,
  properties: answerNamesSchema
    .optional()
    .describe(
      'The names of the answers to send in addition to the fields of contract 2.6; a new webhook sends none by default.',
    ),
  signing: z.boolean().optional().describe('Whether to sign messages (Standard Webhooks).'),
});

export const createWebhook = route.post('/v1/admin/pools/:pool/webhooks', {
  config: { access: 'operator', problems: { 409: 'The pool already has the maximum number of webhooks.' } },
  operationId: 'createWebhook',
  summary: 'Create a webhook that receives the guest records of a pool',
  body: webhookBodySchema,
  response: { 201: webhookWithSecretSchema },
});

export const listWebhooks = route.get('/v1/admin/pools/:pool/webhooks', {
  config: { access: 'viewer' },
  operationId: 'listWebhooks',
  summary: 'List the webhooks of a pool',
  ...pagesOf(webhookSchema),
});

export const readWebhook = route.get('/v1/admin/pools/:pool/webhooks/:id', {
  config: { access: 'viewer' },
  operationId: 'readWebhook',
  summary: 'Read a webhook',
  response: { 200: webhookSchema },
});

export const changeWebhook = route.patch('/v1/admin/pools/:pool/webhooks/:id', {
  config: { access: 'operator' },
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'Omitted fields stay unchanged, but changing `url` requires `auth` again if credentials are stored. Waiting messages are sent to the new URL, without answers that may no longer be sent.',
  body: webhookBodySchema.partial(),
  response: { 200: webhookWithSecretSchema },
});

export const deleteWebhook = route.delete('/v1/admin/pools/:pool/webhooks/:id', {
  config: { access: 'operator' },
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook and cancel its waiting messages',
  response: { 204: noContentSchema },
});

export const rotateWebhookSecret = route.post('/v1/admin/pools/:pool/webhooks/:id/rotate-secret', {
  config: { access: 'operator' },
  operationId: 'rotateWebhookSecret',
  summary: 'Replace the signing secret of a webhook; the new secret is shown only once',
  description:
    'For 24 hours, messages carry signatures of both the previous and the new secret. If the webhook did not sign messages, it starts signing them.',
  response: { 200: z.object({ signingSecret: z.string() }) },
});
