import { maxWebhooksPerPool, type WebhookEndpoint } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { shownAuth, shownAuthSchema } from './webhook-auth.ts';

/** A webhook, without its credentials or signing secret. */
export const webhookAnswerSchema = z
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
export const webhookWithSecretSchema = webhookAnswerSchema
  .extend({
    signingSecret: z.string().optional().describe('The signing secret, if it is new. It is not shown again.'),
  })
  .meta({ id: 'WebhookWithSecret' });

export function webhookAnswer(endpoint: WebhookEndpoint): z.input<typeof webhookAnswerSchema> {
  const { id, pool, url, auth, properties, signingSecrets, createdAt, updatedAt } = endpoint;
  const signing = signingSecrets.length > 0;
  return { id, pool, url, auth: shownAuth(auth), properties: [...properties], signing, createdAt, updatedAt };
}

/** 409: the pool has reached its limit of webhooks. */
export const tooManyWebhooks = () =>
  new HttpProblem(
    409,
    'too_many_webhooks',
    `This pool has ${maxWebhooksPerPool} webhooks, which is the most. Remove one, or let one receiver pass the records on.`,
  );

export const webhookNotFound = () =>
  new HttpProblem(404, 'webhook_not_found', 'This pool has no webhook with this id.');
