import { listDestinationHealth } from '@waiver-service/api';
import { poolsToShow } from '../../authentication/pool-access.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf } from '../../http/pages.ts';

const hourMs = 3_600_000;
const windows = {
  '24h': { windowMs: 24 * hourMs, bucketMs: hourMs },
  '7d': { windowMs: 7 * 24 * hourMs, bucketMs: 6 * hourMs },
} as const;

/** `GET /v1/admin/destinations/health`: how destinations fare over time, for a chart. */
export const destinationHealthRoute: RouteModule = (app, { store }) => {
  app.route({
    ...listDestinationHealth,
    handler: async ({ caller, query: { pool, window, limit, cursor } }) => {
      const { windowMs, bucketMs } = windows[window];
      // Aligned to round times, so that buckets are the same in every response.
      const since = new Date(Math.floor((Date.now() - windowMs) / bucketMs) * bucketMs + bucketMs);
      const pools = poolsToShow(caller, pool);
      const page = await pageOf(
        store.destinationActivities.list({ pools, since, bucketMs, limit, cursor }),
        ({ destination, buckets }) => ({ destination, buckets: [...buckets] }),
      );
      return { ...page, since, bucketMs };
    },
  });
};
