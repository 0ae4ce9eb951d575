import { personOf } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { waiverNotFound } from '../../waiver-routes/waiver-problems.ts';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { erasedWaiverSchema, erasureAnswer, erasureSchema, guestOf, guestSchema } from './guest-fields.ts';

function waiverHeld(held: readonly string[]): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_held',
    `A hold keeps ${held.map((id) => JSON.stringify(id)).join(', ')}: release it first, then ask again.`,
  );
}

export const erasureRoutes: RouteModule = (app, services) => {
  const { erasures } = services.store.guests;
  const url = '/v1/admin/pools/:pool/erasures';

  app.route({
    config: { access: 'operator', problems: { 409: 'A hold keeps every record of the guest.' } },
    method: 'POST',
    url,
    schema: {
      operationId: 'createErasure',
      summary: 'Erase a guest',
      description:
        'Makes the guest’s records inaccessible to everyone immediately and notifies every recipient to delete them; within seven days, only tombstones remain. Records on hold are kept and listed in `heldWaivers`; 409 `waiver_held` if all are on hold. Repeating the request returns the same erasure: always by `waiverId`, and by `email` while the erasure is running.',
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
      summary: 'List the erasures of a pool',
      description: 'Returns the erasures of a pool, newest first.',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(erasureSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(erasures.list(pool, query), erasureAnswer);
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url: `${url}/:id`,
    schema: {
      operationId: 'readErasure',
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
      summary: 'List the erased waiver records of a pool',
      description: 'Returns the tombstones of the erased records, newest erasure first.',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(erasedWaiverSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOrProblem(erasures.listWaivers(pool, query));
    },
  });
};
