import {
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
  listPools,
  putPool,
  readPool,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, malformed, pageOrProblem, poolsToShow, unknownPool } from '@waiver-service/http';
import { DefaultNotInstalled } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { Store } from '../given.ts';
import { requirePool } from './admin-paths.ts';

@injectable()
export class PoolRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...putPool,
      handler: async ({ params, body }) => {
        try {
          return await this.store.pools.put({ id: params.pool, ...body });
        } catch (error) {
          if (!(error instanceof DefaultNotInstalled)) throw error;
          throw malformed([{ path: 'defaultBookingSystem', message: error.message }]);
        }
      },
    });

    app.route({
      ...listPools,
      handler: async ({ query, caller }) => {
        return pageOrProblem(this.store.pools.list(query, poolsToShow(caller)));
      },
    });

    app.route({
      ...readPool,
      handler: async ({ params }) => {
        const pool = await this.store.pools.get(params.pool);
        if (!pool) throw unknownPool(params.pool);
        return pool;
      },
    });

    this.addAccessTokens(app);
  }

  /** The access tokens of a pool, with which its waiver app authenticates. */
  private addAccessTokens(app: HostApp): void {
    const { store } = this;

    app.route({
      ...createAccessToken,
      handler: async ({ params, body }, reply) => {
        await requirePool(this, params.pool);
        return reply.code(201).send(await store.accessTokens.create(params.pool, body));
      },
    });

    app.route({
      ...listAccessTokens,
      handler: async ({ params, query }) => {
        await requirePool(this, params.pool);
        return pageOrProblem(store.accessTokens.list(params.pool, query));
      },
    });

    app.route({
      ...deleteAccessToken,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (await store.accessTokens.remove(pool, id)) return reply.code(204).send(null);
        throw new HttpProblem(404, 'access_token_not_found', 'This pool has no access token with this id.');
      },
    });
  }
}
