import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { answerNamesSchema } from '../../waiver-routes/answer-names.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { addressSchema, checkAddress } from '../checked-address.ts';
import { noContentSchema } from '../no-content.ts';
import {
  webhookAnswer,
  webhookAnswerSchema,
  webhookNotFound,
  webhookWithSecretSchema,
} from './webhook-answer.ts';
import { changedOrProblem, webhookAuthSchema } from './webhook-auth.ts';

const webhookBodySchema = z.strictObject({
  url: addressSchema,
  auth: webhookAuthSchema,
  properties: answerNamesSchema.optional().describe('Answers to send; none if omitted.'),
  signing: z.boolean().optional().describe('Whether to sign messages (Standard Webhooks).'),
});

interface Services {
  readonly store: Pick<Store, 'webhooks' | 'pools'>;
  readonly outbound: Pick<Outbound, 'checkUrl'>;
}

const url = '/v1/admin/pools/:pool/webhooks';

/** The webhooks of a pool (contract 4.3, 5). */
export const webhookRoutes: RouteModule<Services> = (app, services) => {
  const { store } = services;

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createWebhook',
      tags: ['Operators'],
      summary: 'Send a pool’s guest records to an address',
      params: poolPathSchema,
      body: webhookBodySchema,
      response: { 201: webhookWithSecretSchema },
    },
    handler: async ({ params: { pool }, body }, reply) => {
      await requirePool(services, pool);
      await checkAddress(services, 'url', body.url);
      const { endpoint, signingSecret } = await store.webhooks.create(pool, {
        url: body.url,
        auth: body.auth,
        properties: body.properties ?? [],
        signing: body.signing ?? false,
      });
      return reply
        .code(201)
        .send({ ...webhookAnswer(endpoint), ...(signingSecret ? { signingSecret } : {}) });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listWebhooks',
      tags: ['Operators'],
      summary: 'List the webhooks of a pool',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(webhookAnswerSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      const { items, next } = await pageOrProblem(store.webhooks.list(pool, query));
      return { items: items.map(webhookAnswer), next };
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:id`,
    schema: {
      operationId: 'readWebhook',
      tags: ['Operators'],
      summary: 'Read a webhook',
      params: poolIdPathSchema,
      response: { 200: webhookAnswerSchema },
    },
    handler: async ({ params: { pool, id } }) => {
      await requirePool(services, pool);
      const endpoint = await store.webhooks.get(pool, id);
      if (!endpoint) throw webhookNotFound();
      return webhookAnswer(endpoint);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'PATCH',
    url: `${url}/:id`,
    schema: {
      operationId: 'changeWebhook',
      tags: ['Operators'],
      summary: 'Change a webhook',
      description:
        'Omitted fields stay as they are, but for credentials: a `url` of another origin needs `auth` again. Waiting messages are sent to the new address, without answers that may no longer be sent.',
      params: poolIdPathSchema,
      body: webhookBodySchema.partial(),
      response: { 200: webhookWithSecretSchema },
    },
    handler: async ({ params: { pool, id }, body }) => {
      await requirePool(services, pool);
      if (body.url !== undefined) await checkAddress(services, 'url', body.url);
      const changed = await changedOrProblem(store.webhooks.update(pool, id, body));
      if (!changed) throw webhookNotFound();
      const { endpoint, signingSecret } = changed;
      return { ...webhookAnswer(endpoint), ...(signingSecret ? { signingSecret } : {}) };
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteWebhook',
      tags: ['Operators'],
      summary: 'Remove a webhook and cancel its waiting messages',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      await requirePool(services, pool);
      if (await store.webhooks.remove(pool, id)) return reply.code(204).send(null);
      throw webhookNotFound();
    },
  });
};
