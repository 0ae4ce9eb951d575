import { TooManyWebhooks, type WebhookSettings } from '@waiver-service/store';
import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { answerNamesSchema } from '../../waiver-routes/answer-names.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { addressSchema, checkAddress } from '../checked-address.ts';
import { noContentSchema } from '../no-content.ts';
import {
  tooManyWebhooks,
  webhookAnswer,
  webhookAnswerSchema,
  webhookNotFound,
  webhookWithSecretSchema,
} from './webhook-answer.ts';
import { changedOrProblem, webhookAuthSchema } from './webhook-auth.ts';

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

const url = '/v1/admin/pools/:pool/webhooks';

/** The webhooks of a pool (contract 4.3, 5). */
export const webhookRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const createWebhook = (pool: string, settings: WebhookSettings) =>
    store.webhooks.create(pool, settings).catch((error: unknown) => {
      throw error instanceof TooManyWebhooks ? tooManyWebhooks() : error;
    });

  app.route({
    config: { access: 'operator', problems: { 409: 'The pool already has the maximum number of webhooks.' } },
    method: 'POST',
    url,
    schema: {
      operationId: 'createWebhook',
      summary: 'Create a webhook that receives the guest records of a pool',
      params: poolPathSchema,
      body: webhookBodySchema,
      response: { 201: webhookWithSecretSchema },
    },
    handler: async ({ params: { pool }, body }, reply) => {
      await requirePool(services, pool);
      await checkAddress(services, 'url', body.url);
      const { endpoint, signingSecret } = await createWebhook(pool, {
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
      summary: 'List the webhooks of a pool',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(webhookAnswerSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(store.webhooks.list(pool, query), webhookAnswer);
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:id`,
    schema: {
      operationId: 'readWebhook',
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
      summary: 'Change a webhook',
      description:
        'Omitted fields stay unchanged, but changing `url` requires `auth` again if credentials are stored. Waiting messages are sent to the new URL, without answers that may no longer be sent.',
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

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: `${url}/:id/rotate-secret`,
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the signing secret of a webhook; the new secret is shown only once',
      description:
        'For 24 hours, messages carry signatures of both the previous and the new secret. If the webhook did not sign messages, it starts signing them.',
      params: poolIdPathSchema,
      response: { 200: z.object({ signingSecret: z.string() }) },
    },
    handler: async ({ params: { pool, id } }) => {
      await requirePool(services, pool);
      const rotated = await store.webhooks.rotateSecret(pool, id);
      if (!rotated) throw webhookNotFound();
      return { signingSecret: rotated.signingSecret };
    },
  });
};
