import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { keyItem, keyItemSchema } from '../key-item.ts';
import { noContentSchema } from '../no-content.ts';

interface Services {
  readonly store: Pick<Store, 'accessTokens' | 'pools'>;
}

/** The access tokens of a pool, with which its waiver app authenticates. */
export const accessTokenRoutes: RouteModule<Services> = (app, services) => {
  const { store } = services;
  const url = '/v1/admin/pools/:pool/access-tokens';

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createAccessToken',
      tags: ['Operators'],
      summary: 'Create an access token, which is shown only once',
      params: poolPathSchema,
      response: { 201: z.object({ id: z.string(), token: z.string() }) },
    },
    handler: async ({ params }, reply) => {
      await requirePool(services, params.pool);
      const { id, token } = await store.accessTokens.create(params.pool);
      return reply.code(201).send({ id, token });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listAccessTokens',
      tags: ['Operators'],
      summary: 'List the access tokens of a pool',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(keyItemSchema) },
    },
    handler: async ({ params, query }) => {
      await requirePool(services, params.pool);
      const { items, next } = await pageOrProblem(store.accessTokens.list(params.pool, query));
      return { items: items.map(keyItem), next };
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteAccessToken',
      tags: ['Operators'],
      summary: 'Revoke an access token',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      await requirePool(services, pool);
      if (await store.accessTokens.remove(pool, id)) return reply.code(204).send(null);
      throw new HttpProblem(404, 'access_token_not_found', 'This pool has no access token with this id.');
    },
  });
};
