import { DefaultNotInstalled, type Pool, type Store } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { malformed, unknownPool } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { poolPathSchema } from '../admin-paths.ts';

const installsSchema = z
  .enum(['first', 'any', 'approve'])
  .describe(
    'Which install calls of booking systems need no approval: that of the first booking system, any, or none. What an operator installs never does.',
  );

const poolAnswerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefillProperties: z.array(z.string()),
    installs: installsSchema,
    defaultBookingSystem: z
      .string()
      .nullable()
      .describe(
        'What a request means that names no booking system; null: it is the only one, or must be named.',
      ),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Pool' });

const poolAnswer = ({
  id,
  name,
  prefillProperties,
  installs,
  defaultBookingSystem,
  createdAt,
  updatedAt,
}: Pool): z.infer<typeof poolAnswerSchema> => ({
  id,
  name,
  prefillProperties: [...prefillProperties],
  installs,
  defaultBookingSystem,
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
  installs: installsSchema.optional(),
  defaultBookingSystem: z
    .string()
    .nullish()
    .describe(
      'The install name of what a request means that names none; it must be installed. null: none; then a request must name one of several.',
    ),
});

interface Services {
  readonly store: Pick<Store, 'pools'>;
}

/** The pools: each is an operator's app. */
export const poolRoutes: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'admin' },
    method: 'PUT',
    url: '/v1/admin/pools/:pool',
    schema: {
      operationId: 'putPool',
      tags: ['Operators'],
      summary: 'Make a pool, or change it',
      description:
        'What is left out stays as it is; a new pool has installs `first`. The first booking system that is installed becomes the default.',
      params: poolPathSchema,
      body: poolBodySchema,
      response: { 200: poolAnswerSchema },
    },
    handler: async ({ params, body }) => {
      try {
        return poolAnswer(await store.pools.put({ id: params.pool, ...body }));
      } catch (error) {
        if (!(error instanceof DefaultNotInstalled)) throw error;
        throw malformed([{ path: 'defaultBookingSystem', message: error.message }]);
      }
    },
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
