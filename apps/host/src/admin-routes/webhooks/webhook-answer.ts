import type { WebhookEndpoint } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { shownAuth, shownAuthSchema } from './webhook-auth.ts';

/** A webhook, without credentials and signing secret. */
export const webhookAnswerSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    url: z.string(),
    auth: shownAuthSchema,
    properties: z.array(z.string()).describe('Answers to send in addition to the fields of contract 2.6.'),
    signing: z.boolean().describe('Whether its messages are signed.'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Webhook' });

/** A webhook that was just created or changed, with its signing secret if that is new. */
export const webhookWithSecretSchema = webhookAnswerSchema
  .extend({
    signingSecret: z.string().optional().describe('Not shown again.'),
  })
  .meta({ id: 'WebhookWithSecret' });

/** A webhook in the form of {@link webhookAnswerSchema}. */
export function webhookAnswer(endpoint: WebhookEndpoint): z.infer<typeof webhookAnswerSchema> {
  return {
    id: endpoint.id,
    pool: endpoint.pool,
    url: endpoint.url,
    auth: shownAuth(endpoint.auth),
    properties: [...endpoint.properties],
    signing: endpoint.signingSecrets.length > 0,
    createdAt: toDateTime(endpoint.createdAt),
    updatedAt: toDateTime(endpoint.updatedAt),
  };
}

/** 404: the pool has no such webhook. */
export const webhookNotFound = () =>
  new HttpProblem(404, 'webhook_not_found', 'This pool has no webhook with this id.');
