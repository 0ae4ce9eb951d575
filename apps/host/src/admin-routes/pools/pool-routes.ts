import { listPools, type poolSchema, putPool, readPool } from '@waiver-service/api';
import { DefaultNotInstalled, type Pool } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { malformed, unknownPool } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';

const poolAnswer = ({ retentionWaiversDays, ...pool }: Pool): z.input<typeof poolSchema> => ({
  ...pool,
  prefillProperties: [...pool.prefillProperties],
  retention: { waiversDays: retentionWaiversDays },
});

@injectable()
export class PoolRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...putPool,
      handler: async ({ params, body: { retention, ...settings } }) => {
        const retentionWaiversDays = retention?.waiversDays;
        try {
          return poolAnswer(
            await this.store.pools.put({ id: params.pool, ...settings, retentionWaiversDays }),
          );
        } catch (error) {
          if (!(error instanceof DefaultNotInstalled)) throw error;
          throw malformed([{ path: 'defaultBookingSystem', message: error.message }]);
        }
      },
    });

    app.route({
      ...listPools,
      handler: async ({ query, caller }) => {
        return pageOf(this.store.pools.list(query, poolsToShow(caller)), poolAnswer);
      },
    });

    app.route({
      ...readPool,
      handler: async ({ params }) => {
        const pool = await this.store.pools.get(params.pool);
        if (!pool) throw unknownPool(params.pool);
        return poolAnswer(pool);
      },
    });
  }
}
