import type { FirstSteps, Overview } from '@waiver-service/api';
import { milliseconds, prepared } from '@waiver-service/database';
import { isHeld } from '@waiver-service/outbox';
import type { Store } from '@waiver-service/store';
import type { Database, DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { type RawBuilder, sql } from 'kysely';

/** The store with figures of a running service. */
export interface OverviewStore extends Store {
  readonly overviews: Overviews;
}
export const OverviewStore: ServiceIdentifier<OverviewStore> = Symbol('OverviewStore');

export function openOverviewStore(store: Store): OverviewStore {
  return { ...store, overviews: createOverviews(store.context) };
}

/** Figures for monitoring systems, over all hosts. */
export interface ServiceFigures {
  /** How long the oldest first attempt has been due at a working destination; 0 if there is none. */
  readonly firstAttemptDelaySeconds: number;
  readonly failingDestinations: number;
  readonly pausedDestinations: number;
  /** 10,000 at most. */
  readonly deadLetters: number;
  /** Installations whose authorization their booking system refuses. */
  readonly lostAuthorizations: number;
  readonly pendingInstallations: number;
  /** Alerts whose receiver fails or is paused. */
  readonly failingAlerts: number;
  /** How long the oldest signed record has waited to be sealed; 0 if none waits. */
  readonly sealingDelaySeconds: number;
  /** Days whose evidence waits for its outside stamp. */
  readonly unstampedDays: number;
  /** Processes that send. */
  readonly dispatchers: number;
}

const maxCounted = 10_000;
// Each step is one index probe, so the cost does not grow with the backlog.
const maxDestinations = 500;

/** Reads the figures in one statement, whose cost does not grow with the number of deliveries. */
async function readServiceFigures(database: Database): Promise<ServiceFigures> {
  const { rows } = await sql<ServiceFigures>`${prepared}
with recursive walk (destination, step) as (
  (select p.destination, 1 from pending p order by p.destination limit 1)
  union all
  select (select p.destination from pending p where p.destination > w.destination
    order by p.destination limit 1), w.step + 1
  from walk w where w.destination is not null and w.step < ${maxDestinations}::integer),
due as materialized (
  select (select p.due_at from pending p
    where p.destination = t.id and not p.retrying and p.due_at <= now() order by p.due_at limit 1) as due_at
  from walk w join destination t on t.id = w.destination
  where t.status = 'active' and t.failing_since is null and not ${isHeld})
select
  coalesce((select extract(epoch from now() - min(due_at)) from due), 0)::double precision as first_attempt_delay_seconds,
  (select count(*) from destination t
    where t.failing_since is not null and t.status = 'active' and t.kind <> 'alert')::integer as failing_destinations,
  (select count(*) from destination t where t.status = 'paused' and t.kind <> 'alert')::integer as paused_destinations,
  (select count(*) from (select from ended e where e.state = 'dead' and e.pool <> '' limit ${maxCounted}::integer) d)::integer
    as dead_letters,
  (select count(*) from booking_system_session where lost_since is not null)::integer as lost_authorizations,
  (select count(*) from installation where status = 'pending')::integer as pending_installations,
  (select count(*) from destination t where t.kind = 'alert'
    and (t.failing_since is not null and t.status <> 'closed' or t.status = 'paused'))::integer as failing_alerts,
  coalesce(extract(epoch from now() - least(
    (select received_at from signing where sequence is null order by received_at limit 1),
    (select at from signing_event where sequence is null order by at limit 1))), 0)::double precision as sealing_delay_seconds,
  (select count(*) from evidence_root where token is null)::integer as unstamped_days,
  (select count(*) from dispatcher where lease_until > now())::integer as dispatchers`.execute(database);
  const [figures] = rows;
  if (figures === undefined) throw new Error('a statement without a table returned no row');
  return figures;
}

/** How far a service has been set up, judged by what exists. */
async function readFirstSteps(database: Database): Promise<FirstSteps> {
  // Later parts of a condition are evaluated only if earlier ones find nothing, as in a service that is hardly used.
  const { rows } = await sql<FirstSteps>`
select
  exists (select from installation) or exists (select from booking_system) or exists (select from install_key)
    as booking_system,
  exists (select from pool) as pool,
  exists (select from installation where status = 'installed') as installation,
  exists (select from waiver) or exists (select from cached_booking)
    or exists (select from audit_entry where action = 'booking.read' and status = 200) as booking`.execute(
    database,
  );
  const [steps] = rows;
  if (steps === undefined) throw new Error('a query without a source has one row');
  return steps;
}

/** How far back an overview looks, and the length of its buckets. */
export interface OverviewRequest {
  /** Only these pools; all if omitted. */
  readonly pools?: readonly string[] | undefined;
  readonly since: Date;
  readonly bucketMs: number;
}

/** The state of sending, with its buckets, oldest first, including empty ones. */
export type CountedOverview = Omit<Overview, 'delivered' | 'failed'>;

type OverviewBucket = Overview['buckets'][number];

/** Reads overviews. */
export interface Overviews {
  /** Counts what is stored now. */
  read(request: OverviewRequest): Promise<CountedOverview>;
  /** How far the service has been set up. */
  firstSteps(): Promise<FirstSteps>;
  /** See {@link readServiceFigures}. */
  readFigures(): Promise<ServiceFigures>;
}

const onlyPools = (column: string, pools: readonly string[] | undefined): RawBuilder<boolean> =>
  // Alerts belong to no pool, and are not counted.
  pools === undefined ? sql`${sql.ref(column)} <> ''` : sql`${sql.ref(column)} = any(${[...pools]}::text[])`;

async function readCounts(database: Database, pools: OverviewRequest['pools']) {
  const { rows } = await sql<Omit<CountedOverview, 'buckets'>>`
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
  const step = milliseconds(bucketMs);
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
