import type { webhookSchema } from '@waiver-service/api';
import { maxWebhooksPerPool, type WebhookEndpoint } from '@waiver-service/store';
import type { z } from 'zod';
import { HttpProblem } from '../../http/http-problem.ts';
import { shownAuth } from './webhook-auth.ts';

export function webhookAnswer(endpoint: WebhookEndpoint): z.input<typeof webhookSchema> {
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
