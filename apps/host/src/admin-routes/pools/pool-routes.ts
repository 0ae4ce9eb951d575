import type { Pool } from '@waiver-service/store';
import { z } from 'zod';
import type { HostServices } from '../../composition/host-services.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { unknownPool } from '../../http/http-problem.ts';
import { pageOrProblem } from '../../http/malformed-cursor.ts';
import { pageQuerySchema, pageSchema } from '../../http/page-query.ts';
import { poolPathSchema } from '../admin-paths.ts';

const poolAnswerSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefillProperties: z.array(z.string()),
  createdAt: dateTimeSchema,
  updatedAt: dateTimeSchema,
});

const poolAnswer = ({
  id,
  name,
  prefillProperties,
  createdAt,
  updatedAt,
}: Pool): z.infer<typeof poolAnswerSchema> => ({
  id,
  name,
  prefillProperties: [...prefillProperties],
  createdAt: toDateTime(createdAt),
  updatedAt: toDateTime(updatedAt),
});

const poolBodySchema = z.strictObject({
  name: z.string().min(1).max(200),
  prefillProperties: z
    .array(z.string().min(1).max(128))
    .max(100)
    .transform((names) => [...new Set(names)])
    .optional()
    .describe('Properties of a booking or a guest that are pre-filled besides name, email and phoneNumber.'),
});

/** The pools: each is an operator's app. */
export const poolRoutes: RouteModule<Pick<HostServices, 'store'>> = (app, { store }) => {
  app.route({
    config: { access: 'admin' },
    method: 'PUT',
    url: '/v1/admin/pools/:pool',
    schema: {
      operationId: 'putPool',
      tags: ['Operators'],
      summary: 'Make a pool, or change it',
      description: 'Where prefillProperties is left out it stays as it is.',
      params: poolPathSchema,
      body: poolBodySchema,
      response: { 200: poolAnswerSchema },
    },
    handler: async ({ params, body: { name, prefillProperties } }) =>
      poolAnswer(
        await store.pools.put({ id: params.pool, name, ...(prefillProperties ? { prefillProperties } : {}) }),
      ),
  });

  app.route({
    config: { access: 'admin' },
    method: 'GET',
    url: '/v1/admin/pools',
    schema: {
      operationId: 'listPools',
      tags: ['Operators'],
      summary: 'List the pools',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(poolAnswerSchema) },
    },
    handler: async ({ query }) => {
      const { items, next } = await pageOrProblem(store.pools.list(query));
      return { items: items.map(poolAnswer), next };
    },
  });

  app.route({
    config: { access: 'admin' },
    method: 'GET',
    url: '/v1/admin/pools/:pool',
    schema: {
      operationId: 'readPool',
      tags: ['Operators'],
      summary: 'Read a pool',
      params: poolPathSchema,
      response: { 200: poolAnswerSchema },
    },
    handler: async ({ params }) => {
      const pool = await store.pools.get(params.pool);
      if (!pool) throw unknownPool(params.pool);
      return poolAnswer(pool);
    },
  });
};
