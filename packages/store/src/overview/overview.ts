import type { FirstSteps } from '@waiver-service/api';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import type { StoreContext } from '../store-context.ts';
import { readFirstSteps } from './first-steps.ts';
import { readServiceFigures, type ServiceFigures } from './service-figures.ts';

/** How far back an overview looks, and the length of its buckets. */
export interface OverviewRequest {
  /** Only these pools; all if omitted. */
  readonly pools?: readonly string[] | undefined;
  readonly since: Date;
  readonly bucketMs: number;
}

/** The attempts in one bucket of time. */
export interface OverviewBucket {
  /** Its beginning. */
  readonly at: Date;
  /** Attempts that ended a delivery. */
  readonly delivered: number;
  /** Attempts that a destination refused, or did not answer. */
  readonly failed: number;
  /** How long destinations took; null without an attempt. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** The state of sending. */
export interface Overview {
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
  /** Deliveries that have failed permanently and were not retried. */
  readonly dead: number;
  readonly failingDestinations: number;
  readonly pausedDestinations: number;
  /** Oldest first, including empty ones. */
  readonly buckets: readonly OverviewBucket[];
}

/** Reads overviews. */
export interface Overviews {
  /** Counts what is stored now. */
  read(request: OverviewRequest): Promise<Overview>;
  /** How far the service has been set up. */
  firstSteps(): Promise<FirstSteps>;
  /** See {@link readServiceFigures}. */
  readFigures(): Promise<ServiceFigures>;
}

const onlyPools = (column: string, pools: readonly string[] | undefined): RawBuilder<boolean> =>
  // Alerts belong to no pool, and are not counted.
  pools === undefined ? sql`${sql.ref(column)} <> ''` : sql`${sql.ref(column)} = any(${[...pools]}::text[])`;

async function readCounts(database: Database, pools: OverviewRequest['pools']) {
  const { rows } = await sql<Omit<Overview, 'buckets'>>`
select
  (select count(*) from pending p where ${onlyPools('p.pool', pools)}) as waiting,
  (select min(d.created_at) from (
     select p.id, p.pool from pending p where ${onlyPools('p.pool', pools)} order by p.id limit 1) p
   join delivery d on d.id = p.id and d.pool = p.pool) as oldest_waiting_at,
  (select count(*) from ended e where e.state = 'dead' and ${onlyPools('e.pool', pools)}) as dead,
  (select count(*) from destination t
   where t.status = 'active' and t.consecutive_failures > 0 and ${onlyPools('t.pool', pools)})
   as failing_destinations,
  (select count(*) from destination t where t.status = 'paused' and ${onlyPools('t.pool', pools)})
   as paused_destinations`.execute(database);
  const [counts] = rows;
  if (counts === undefined) throw new Error('a statement without a table returned no row');
  return counts;
}

/** Our own faults and made-up test messages say nothing about a destination. */
function readBuckets(database: Database, request: OverviewRequest): Promise<OverviewBucket[]> {
  return database.transaction().execute(async (transaction) => {
    // The index by age can only be read by bitmap scans, which are disabled for the store's connections. Without it,
    // every attempt that is kept would be read.
    await sql`set local enable_bitmapscan = on`.execute(transaction);
    return readBucketsIn(transaction, request);
  });
}

async function readBucketsIn(
  transaction: DatabaseTransaction,
  { pools, since, bucketMs }: OverviewRequest,
): Promise<OverviewBucket[]> {
  const step = sql`${bucketMs}::double precision * interval '1 millisecond'`;
  const { rows } = await sql<OverviewBucket>`
select part.at,
  count(a.at) filter (where a.outcome in ('accepted', 'nothing-written'))::integer as delivered,
  count(a.at) filter (where a.outcome in ('refused', 'in-doubt'))::integer as failed,
  percentile_disc(0.5) within group (order by a.duration_ms) as median_ms,
  percentile_disc(0.95) within group (order by a.duration_ms) as "p95Ms"
from generate_series(${since}::timestamptz, now(), ${step}) as part(at)
left join attempt a
  on a.at >= ${since}::timestamptz
  and date_bin(${step}, a.at, ${since}::timestamptz) = part.at
  and a.outcome <> 'own-fault' and a.trigger <> 'test' and ${onlyPools('a.pool', pools)}
group by part.at order by part.at`.execute(transaction);
  return rows;
}

export function createOverviews({ database }: StoreContext): Overviews {
  return {
    async read(request) {
      const [counts, buckets] = await Promise.all([
        readCounts(database, request.pools),
        readBuckets(database, request),
      ]);
      return { ...counts, buckets };
    },
    firstSteps: () => readFirstSteps(database),
    readFigures: () => readServiceFigures(database),
  };
}
