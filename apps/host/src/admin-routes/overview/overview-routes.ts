import { readFirstSteps, readOverview } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { createOverviewCache } from './overview-cache.ts';

const minuteMs = 60_000;
const windows = {
  '1h': { windowMs: 60 * minuteMs, bucketMs: minuteMs },
  '24h': { windowMs: 24 * 60 * minuteMs, bucketMs: 15 * minuteMs },
  '7d': { windowMs: 7 * 24 * 60 * minuteMs, bucketMs: 120 * minuteMs },
} as const;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

@injectable()
export class OverviewRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const cache = createOverviewCache(this.store.overviews);
    app.route({
      ...readOverview,
      handler: async ({ caller, query: { pool, window } }) => {
        const pools = poolsToShow(caller, pool);
        const { buckets, ...counts } = await cache.read({ pools, ...windows[window] });
        return {
          ...counts,
          delivered: sum(buckets.map(({ delivered }) => delivered)),
          failed: sum(buckets.map(({ failed }) => failed)),
          buckets: [...buckets],
        };
      },
    });

    app.route({ ...readFirstSteps, handler: () => this.store.overviews.firstSteps() });
  }
}
