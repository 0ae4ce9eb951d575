import { readFirstSteps, readOverview } from '@waiver-service/api';
import { type HostApp, poolsToShow, RouteModule } from '@waiver-service/http';
import { ContainerModule, inject, injectable } from 'inversify';
import {
  type CountedOverview,
  type OverviewRequest,
  OverviewStore,
  type Overviews,
} from './data/overview.ts';

const freshMs = 3_000;
const maxEntries = 200;

/** The pools of an overview, and how far back it looks. */
interface OverviewQuery {
  readonly pools: readonly string[] | undefined;
  readonly windowMs: number;
  readonly bucketMs: number;
}

/**
 * Shares one reading of an overview among everyone who requests it within a few seconds, so any number of open consoles
 * costs the database no more than one.
 */
export function createOverviewCache(overviews: Pick<Overviews, 'read'>, now: () => number = Date.now) {
  const entries = new Map<string, { until: number; readonly overview: Promise<CountedOverview> }>();

  /** Evicts the oldest. */
  function makeRoom(): void {
    for (const key of entries.keys()) {
      if (entries.size < maxEntries) return;
      entries.delete(key);
    }
  }

  /** Aligns buckets to round times, so that they are the same in every reading. */
  function requestFor({ pools, windowMs, bucketMs }: OverviewQuery): OverviewRequest {
    const since = Math.floor((now() - windowMs) / bucketMs) * bucketMs + bucketMs;
    return { pools, since: new Date(since), bucketMs };
  }

  // Further away than that, the clock was set back.
  const isFresh = (until: number) =>
    until === Number.POSITIVE_INFINITY || (until > now() && until <= now() + freshMs);

  return {
    read(query: OverviewQuery): Promise<CountedOverview> {
      const key = JSON.stringify(query);
      const cached = entries.get(key);
      if (cached !== undefined && isFresh(cached.until)) return cached.overview;
      entries.delete(key);
      makeRoom();
      const overview = overviews.read(requestFor(query));
      // Valid until the reading ends: one reading at a time, however slow.
      const entry = { until: Number.POSITIVE_INFINITY, overview };
      entries.set(key, entry);
      overview.then(
        () => {
          entry.until = now() + freshMs;
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key);
        },
      );
      return overview;
    },
  };
}

const minuteMs = 60_000;
const windows = {
  '1h': { windowMs: 60 * minuteMs, bucketMs: minuteMs },
  '24h': { windowMs: 24 * 60 * minuteMs, bucketMs: 15 * minuteMs },
  '7d': { windowMs: 7 * 24 * 60 * minuteMs, bucketMs: 120 * minuteMs },
} as const;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

@injectable()
class OverviewRoutes implements RouteModule {
  constructor(@inject(OverviewStore) private readonly store: OverviewStore) {}

  addRoutes(app: HostApp): void {
    const cache = createOverviewCache(this.store.overviews);
    app.route({
      ...readOverview,
      handler: async ({ caller, query: { pool, window } }) => {
        const pools = poolsToShow(caller, pool);
        const overview = await cache.read({ pools, ...windows[window] });
        const { buckets } = overview;
        return {
          ...overview,
          delivered: sum(buckets.map(({ delivered }) => delivered)),
          failed: sum(buckets.map(({ failed }) => failed)),
        };
      },
    });

    app.route({ ...readFirstSteps, handler: () => this.store.overviews.firstSteps() });
  }
}

/** How sending goes, and how far the service has been set up, for people. */
export const overviewModule = new ContainerModule(({ bind }) => {
  bind(RouteModule).to(OverviewRoutes);
});
