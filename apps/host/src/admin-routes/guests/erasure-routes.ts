import { createErasure, listErasedWaivers, listErasures, readErasure } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { personOf } from '../../authentication/caller.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageOrProblem } from '../../http/pages.ts';
import { waiverNotFound } from '../../waiver-routes/waiver-problems.ts';
import { requirePool } from '../admin-paths.ts';
import { guestOf } from './guest-fields.ts';

function waiverHeld(held: readonly string[]): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_held',
    `A hold keeps ${held.map((id) => JSON.stringify(id)).join(', ')}: release it first, then ask again.`,
  );
}

@injectable()
export class ErasureRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { erasures } = this.store.guests;

    app.route({
      ...createErasure,
      handler: async ({ params: { pool }, body, caller }, reply) => {
        await requirePool(this, pool);
        const result = await erasures.request(pool, guestOf(body), personOf(caller).actor);
        switch (result.outcome) {
          case 'not-found':
            throw waiverNotFound(body.waiverId ?? '');
          case 'held':
            throw waiverHeld(result.heldWaivers);
          case 'accepted':
            return reply.code(202).send(result.erasure);
        }
      },
    });

    app.route({
      ...listErasures,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(erasures.list(pool, query), (erasure) => erasure);
      },
    });

    app.route({
      ...readErasure,
      handler: async ({ params: { pool, id } }) => {
        await requirePool(this, pool);
        const erasure = await erasures.get(pool, id);
        if (erasure !== undefined) return erasure;
        throw new HttpProblem(404, 'erasure_not_found', 'This pool has no erasure with this id.');
      },
    });

    app.route({
      ...listErasedWaivers,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOrProblem(erasures.listWaivers(pool, query));
      },
    });
  }
}
