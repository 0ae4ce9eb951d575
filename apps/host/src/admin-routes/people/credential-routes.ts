import { poolIdSchema } from '@waiver-service/core';
import type { Credential } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { idPathSchema } from '../admin-paths.ts';
import { expiresAtSchema, keyItem, keyItemSchema, keyNameSchema } from '../key-item.ts';
import { noContentSchema } from '../no-content.ts';
import { requirePoolsExist } from '../pools-exist.ts';
import { roleSchema, shownPoolsSchema } from './person-fields.ts';

const maxPoolsOfCredential = 100;

const bodySchema = z
  .strictObject({
    name: keyNameSchema.describe('The name of the person or program that will use the credential.'),
    role: roleSchema,
    pools: z
      .array(poolIdSchema)
      .min(1)
      .max(maxPoolsOfCredential)
      .transform((pools) => [...new Set(pools)])
      .optional()
      .describe(
        'The pools that the credential can access; if omitted, all, including later ones. Not allowed for an owner, who has all.',
      ),
    expiresAt: expiresAtSchema.optional(),
  })
  .refine(({ role, pools }) => role !== 'owner' || pools === undefined, {
    path: ['pools'],
    message: 'an owner has all pools: leave this out, or choose another role',
  });

const credentialSchema = keyItemSchema
  .extend({
    name: z.string(),
    role: roleSchema,
    pools: shownPoolsSchema,
    expiresAt: dateTimeSchema.nullable().describe('When the credential expires; null if never.'),
  })
  .meta({ id: 'Credential' });

function credentialAnswer(credential: Credential): z.input<typeof credentialSchema> {
  const { name, role, pools, expiresAt } = credential;
  return { ...keyItem(credential), name, role, pools: pools && [...pools], expiresAt };
}

/** The tokens of people and programs, with roles. The admin token is separate, and cannot be revoked here. */
export const credentialRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const url = '/v1/admin/credentials';

  app.route({
    config: { access: 'owner' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createCredential',
      summary: 'Create a credential for a person or a program; its token is shown only once',
      body: bodySchema,
      response: { 201: z.object({ id: z.string(), token: z.string() }) },
    },
    handler: async ({ body }, reply) => {
      await requirePoolsExist(services, body.pools ?? []);
      const { id, token } = await store.credentials.create(body);
      return reply.code(201).send({ id, token });
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listCredentials',
      summary: 'List the credentials',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(credentialSchema) },
    },
    handler: async ({ query }) => {
      return pageOf(store.credentials.list(query), credentialAnswer);
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteCredential',
      summary: 'Revoke a credential',
      description: 'The credential stops working immediately, on every host.',
      params: idPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params }, reply) => {
      if (await store.credentials.remove(params.id)) return reply.code(204).send(null);
      throw new HttpProblem(404, 'credential_not_found', 'There is no credential with this id.');
    },
  });
};
