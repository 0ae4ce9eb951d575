import { maxErasedWaivers, type Store } from '@waiver-service/store';
import { personOf } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { waiverNotFound } from '../../waiver-routes/waiver-problems.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import {
  erasedWaiverAnswer,
  erasedWaiverSchema,
  erasureAnswer,
  erasureSchema,
  guestOf,
  guestSchema,
} from './guest-fields.ts';

interface Services {
  readonly store: Pick<Store, 'guests' | 'pools'>;
}

function waiverHeld(held: readonly string[]): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_held',
    `A hold keeps ${held.map((id) => JSON.stringify(id)).join(', ')}: release it first, then ask again.`,
  );
}

const tooManyWaivers = () =>
  new HttpProblem(
    409,
    'too_many_waivers',
    `More than ${maxErasedWaivers} records have this address: erase them one by one, by waiverId.`,
  );

/** Erasures of guests. */
export const erasureRoutes: RouteModule<Services> = (app, services) => {
  const { erasures } = services.store.guests;
  const url = '/v1/admin/pools/:pool/erasures';

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createErasure',
      tags: ['Operators'],
      summary: 'Erase a guest',
      description:
        'The records are gone at once for everyone. Whoever was told of them is told that they are deleted; after seven days at the latest, nothing of them is left but a tombstone. Records with a hold stay and are named; 409 `waiver_held` if there are no others. A repeated request gets the same erasure.',
      params: poolPathSchema,
      body: guestSchema,
      response: { 202: erasureSchema },
    },
    handler: async ({ params: { pool }, body, caller }, reply) => {
      await requirePool(services, pool);
      const result = await erasures.request(pool, guestOf(body), personOf(caller).actor);
      switch (result.outcome) {
        case 'not-found':
          throw waiverNotFound(body.waiverId ?? '');
        case 'held':
          throw waiverHeld(result.heldWaivers);
        case 'too-many':
          throw tooManyWaivers();
        case 'accepted':
          return reply.code(202).send(erasureAnswer(result.erasure));
      }
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listErasures',
      tags: ['Operators'],
      summary: 'List the erasures of a pool',
      description: 'Newest first.',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(erasureSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      const { items, next } = await pageOrProblem(erasures.list(pool, query));
      return { items: items.map(erasureAnswer), next };
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:id`,
    schema: {
      operationId: 'readErasure',
      tags: ['Operators'],
      summary: 'Read an erasure',
      params: poolIdPathSchema,
      response: { 200: erasureSchema },
    },
    handler: async ({ params: { pool, id } }) => {
      await requirePool(services, pool);
      const erasure = await erasures.get(pool, id);
      if (erasure !== undefined) return erasureAnswer(erasure);
      throw new HttpProblem(404, 'erasure_not_found', 'This pool has no erasure with this id.');
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: '/v1/admin/pools/:pool/erased-waivers',
    schema: {
      operationId: 'listErasedWaivers',
      tags: ['Operators'],
      summary: 'List the erased waiver records of a pool',
      description: 'What is left of them. Those of the newest erasure come first.',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(erasedWaiverSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      const { items, next } = await pageOrProblem(erasures.listWaivers(pool, query));
      return { items: items.map(erasedWaiverAnswer), next };
    },
  });
};
