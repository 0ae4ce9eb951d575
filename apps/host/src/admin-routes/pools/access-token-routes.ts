import { type AccessToken, tokenScopes } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { expiresAtSchema, keyItem, keyItemSchema, keyNameSchema } from '../key-item.ts';
import { noContentSchema } from '../no-content.ts';

const scopeSchema = z.enum(tokenScopes).meta({ id: 'TokenScope' });

const bodySchema = z
  .strictObject({
    name: keyNameSchema.optional().describe('A name by which people recognize the token.'),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(tokenScopes.length)
      .transform((scopes) => [...new Set(scopes)])
      .optional()
      .describe('The scopes of the token; all if omitted.'),
    expiresAt: expiresAtSchema.optional(),
  })
  .optional();

const accessTokenSchema = keyItemSchema
  .extend({
    name: z.string().nullable(),
    scopes: z.array(scopeSchema),
    expiresAt: dateTimeSchema.nullable().describe('When the token expires; null if never.'),
  })
  .meta({ id: 'AccessToken' });

function accessTokenAnswer(token: AccessToken): z.input<typeof accessTokenSchema> {
  const { name, scopes, expiresAt } = token;
  return { ...keyItem(token), name, scopes: [...scopes], expiresAt };
}

/** The access tokens of a pool, with which its waiver app authenticates. */
export const accessTokenRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const url = '/v1/admin/pools/:pool/access-tokens';

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createAccessToken',
      summary: 'Create an access token, which is shown only once',
      params: poolPathSchema,
      body: bodySchema,
      response: { 201: z.object({ id: z.string(), token: z.string() }) },
    },
    handler: async ({ params, body }, reply) => {
      await requirePool(services, params.pool);
      const { id, token } = await store.accessTokens.create(params.pool, body);
      return reply.code(201).send({ id, token });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listAccessTokens',
      summary: 'List the access tokens of a pool',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(accessTokenSchema) },
    },
    handler: async ({ params, query }) => {
      await requirePool(services, params.pool);
      return pageOf(store.accessTokens.list(params.pool, query), accessTokenAnswer);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteAccessToken',
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
