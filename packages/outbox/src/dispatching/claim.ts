import { arrayOf, milliseconds, prepared } from '@waiver-service/database';
import { bodyWithOnly } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import { isHeld } from '../destinations/destinations.ts';
import type { AttemptTrigger, ClaimedDelivery } from '../messages/delivery-types.ts';
import type { DestinationOwners, OutboxContext } from '../outbox-context.ts';
import { type ClaimingDispatcher, claimFence } from './dispatchers.ts';

/** The share of one destination in a claim. */
export interface DestinationShare {
  readonly destination: string;
  readonly slots: number;
  /** The destination's busy lanes, from which nothing more is claimed. */
  readonly busyLanes: readonly number[];
}

/** A request to claim due messages. */
export interface ClaimRequest extends ClaimingDispatcher {
  readonly shares: readonly DestinationShare[];
  readonly limit: number;
  /** True: claim retries; false: first attempts. */
  readonly retrying: boolean;
}

type ClaimContext = Pick<OutboxContext, 'database' | 'owners'>;

/** A journal row with more ids would not fit a PostgreSQL page. */
const maxClaimed = 250;

/** The columns of a CTE `share`, from destinations `t` that may be sent to. */
const destinationColumns = ({ settings }: DestinationOwners) => sql`
  t.id, t.shard, t.consecutive_failures > 0 or t.status <> 'active' as failing,
  ${settings.version} as settings_version,
  ${settings.bookingSystem} as booking_system, t.permission_version, ${settings.listed} as listed`;

const settingsOfShare = sql`s.shard, s.failing, s.settings_version, s.booking_system, s.permission_version,
  s.listed`;

/** Joins the shard of a destination `t` if the dispatcher owns it and may claim from it. */
const ownShard = (dispatcher: string): RawBuilder<unknown> => sql`
  join shard h on h.id = t.shard and h.owner = ${dispatcher}::uuid and not h.draining`;

interface ClaimedRow extends ClaimedDelivery {
  /** The answers that may be sent, if more were allowed when the body was created. Read in the claim's statement. */
  readonly narrowedTo: readonly string[] | null;
}

const claimedOf = (row: ClaimedRow): ClaimedDelivery =>
  row.narrowedTo === null || row.kind === 'alert' || row.kind === 'invitation'
    ? row
    : { ...row, body: bodyWithOnly(row.kind, row.body, row.narrowedTo) };

/**
 * The end of a claim, after CTEs `fence` and `found`: rows of `pending` that may be due, with their
 * {@link settingsOfShare}.
 *
 * Does not update claimed rows: one new row in the journal has all their ids, where a takeover finds them. The caller may
 * send the returned messages, since the statement's transaction has committed.
 *
 * Skips a message that has an older one in its lane. If the older one is due later, postpones this one to the same
 * time; otherwise every claim would find the same blocked rows, which would hide others.
 *
 * Names its columns as {@link ClaimedRow} does: run it without plugins, which would rename them in each row.
 */
const takeFound = (dispatcher: string, trigger: RawBuilder<AttemptTrigger>): RawBuilder<ClaimedRow> => sql`
placed as materialized (
  select f.*, (
    select o.due_at from pending o
    where o.destination = f.destination and o.ordering_key = f.ordering_key and o.sequence < f.sequence
    order by o.sequence limit 1) as older_due_at
  from found f),
to_postpone as materialized (
  select p.destination, p.id, p.pool, x.older_due_at from placed x
  join pending p on p.destination = x.destination and p.id = x.id and p.pool = x.pool
  where x.older_due_at > x.due_at
  for update of p skip locked),
postponed as (
  update pending p set due_at = x.older_due_at from to_postpone x
  where p.destination = x.destination and p.id = x.id and p.pool = x.pool),
taken as (
  insert into journal (dispatcher, ids)
  select ${dispatcher}::uuid, array_agg(x.id) from placed x
  where x.older_due_at is null and exists (select from fence)
  having count(*) > 0
  returning batch)
select b.batch, x.sequence, x.row_id::text as "rowId", x.pool, x.destination, x.ordering_key as "orderingKey", x.lane,
  x.shard, x.id, d.kind,
  x.waiver_id as "waiverId", d.version, x.booking_id as "bookingId", d.body, x.attempts, x.in_doubt as "inDoubt",
  x.faults, x.failing, x.settings_version as "settingsVersion", x.booking_system as "bookingSystem",
  ${trigger} as trigger,
  case when d.permission_version < x.permission_version then x.listed end as "narrowedTo"
from taken b cross join placed x
-- Looked up one by one, however many PostgreSQL expects.
cross join lateral (
  select d.kind, d.version, d.body, d.permission_version from delivery d
  where d.id = x.id and d.pool = x.pool offset 0) d
where x.older_due_at is null`;

/**
 * Claims due messages of destinations in the dispatcher's shards, longest due first within each. A destination is read
 * only if those before it have not filled the claim.
 */
export async function claim(
  { database, owners }: ClaimContext,
  request: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  const { dispatcher, shares, retrying } = request;
  const limit = Math.min(request.limit, maxClaimed);
  if (shares.length === 0 || limit <= 0) return [];
  const destinations = shares.map(({ destination }) => destination);
  const slots = shares.map((share) => share.slots);
  // As text, because PostgreSQL's nested arrays must be rectangular.
  const busy = shares.map(({ busyLanes }) => arrayOf(busyLanes));
  const { rows } = await sql<ClaimedRow>`${prepared}
with ${claimFence(request)},
-- Not sorted, so that no more destinations are read than fill the claim: the join keeps the order that is passed in.
share as materialized (
  select s.slots, s.busy::integer[] as busy, d.*
  from unnest(${destinations}::text[], ${slots}::integer[], ${busy}::text[])
    s (destination, slots, busy)
  cross join lateral (
    select ${destinationColumns(owners)} from destination t
    ${ownShard(dispatcher)}
    ${owners.settings.joins}
    where t.id = s.destination and t.status = 'active' and not ${isHeld} offset 0) d),
found as materialized (
  select p.*, ${settingsOfShare} from share s cross join lateral (
    select p.*, p.ctid as row_id from pending p
    where p.destination = s.id and p.retrying = ${retrying}::boolean and p.due_at <= now()
      and p.lane <> all (s.busy)
    order by p.due_at, p.sequence limit s.slots) p
  limit ${limit}::integer),
${takeFound(dispatcher, sql`case when x.manual then 'manual' else 'schedule' end`)}`.execute(
    database.withoutPlugins(),
  );
  return rows.map(claimedOf);
}

/** A claim of probes. */
export interface ProbeRequest extends ClaimingDispatcher {
  readonly limit: number;
  readonly probeIntervalMs: number;
  readonly busyLanes: readonly number[];
}

/**
 * Claims one message, due or not, for each destination that was paused for failures and whose probe is due: of the
 * messages first in their lanes, the one with the earliest due time. A refused probe moves behind the others, so that a
 * message that is refused on its own account does not keep the destination paused.
 */
export async function claimProbes(
  { database, owners }: ClaimContext,
  request: ProbeRequest,
): Promise<ClaimedDelivery[]> {
  const { dispatcher, probeIntervalMs } = request;
  const limit = Math.min(request.limit, maxClaimed);
  if (limit <= 0) return [];
  const isFree = (destination: RawBuilder<string>) =>
    sql`p.destination = ${destination} and p.lane <> all (${[...request.busyLanes]}::integer[])`;
  const dueLongest = (retrying: boolean) => sql`(
    select p.*, p.ctid as row_id from pending p where ${isFree(sql`s.id`)} and p.retrying = ${retrying}::boolean and not exists (
      select from pending o
      where o.destination = p.destination and o.ordering_key = p.ordering_key and o.sequence < p.sequence)
    order by p.due_at, p.sequence limit 1)`;
  const { rows } = await sql<ClaimedRow>`${prepared}
with ${claimFence(request)},
due as materialized (
  select t.id from destination t ${ownShard(dispatcher)}
  where t.paused_by = 'failures' and t.next_probe_at <= now() and not ${isHeld}
    and exists (select from pending p where ${isFree(sql`t.id`)})
  order by t.next_probe_at limit ${limit}::integer for no key update of t skip locked),
probed as (
  update destination t set next_probe_at = now() + ${milliseconds(probeIntervalMs)}
  from due where t.id = due.id
  returning t.id, t.shard, t.consecutive_failures, t.status, t.permission_version),
share as materialized (select ${destinationColumns(owners)} from probed t ${owners.settings.joins}),
found as materialized (
  select p.*, ${settingsOfShare} from share s
  cross join lateral (
    select p.* from (${dueLongest(false)} union all ${dueLongest(true)}) p order by p.due_at, p.sequence limit 1) p),
${takeFound(dispatcher, sql`'probe'`)}`.execute(database.withoutPlugins());
  return rows.map(claimedOf);
}

/** A destination with something to send. */
export interface DestinationWork {
  readonly destination: string;
  readonly pool: string;
  /** A first attempt is due. */
  readonly fresh: boolean;
  /** A retry is due. */
  readonly retrying: boolean;
  /** Whether its requests are limited: see `takeFirstRequests`. */
  readonly limited: boolean;
  /** Whether the last call to it failed. */
  readonly failing: boolean;
}

/** The destinations with work in the range that was searched. */
export interface WorkFound {
  readonly work: DestinationWork[];
  /** Where to continue; empty to start over. */
  readonly after: string;
}

export interface WorkRequest {
  readonly dispatcher: string;
  /** The destination to continue after, from the previous search; empty to start over. */
  readonly after: string;
  /** The busy lanes, by destination. */
  readonly busyLanes: ReadonlyMap<string, readonly number[]>;
}

// Each step is one index probe, so that a poll costs the same however many messages wait or are dead.
const maxSteps = 500;

// Not `exists`, which PostgreSQL would evaluate for all destinations at once, over everything that is due.
const isDue = (retrying: boolean): RawBuilder<boolean> => sql`
  coalesce((select true from pending p where p.destination = w.destination
    and p.retrying = ${sql.lit(retrying)} and p.due_at <= now() and p.lane <> all (w.busy) limit 1), false)`;

/**
 * Searches, without locks, for active destinations in the dispatcher's own shards that are not held and have something
 * due, starting after one destination. Callers continue from `after`, so that each of many destinations gets its turn.
 */
export async function findWork(
  database: Database,
  { dispatcher, after, busyLanes }: WorkRequest,
): Promise<WorkFound> {
  const destinations = [...busyLanes.keys()];
  const lanes = [...busyLanes.values()].map(arrayOf);
  const { rows } = await sql<DestinationWork & { readonly own: boolean }>`${prepared}
with recursive walk (destination, step) as (
  (select p.destination, 1 from pending p where p.destination > ${after} order by p.destination limit 1)
  union all
  select (select p.destination from pending p where p.destination > w.destination
    order by p.destination limit 1), w.step + 1
  from walk w where w.destination is not null and w.step < ${maxSteps}::integer),
walked as materialized (
  select w.destination, t.pool, h.id is not null as own, t.consecutive_failures,
    t.request_budget is not null as limited, coalesce(b.lanes::integer[], '{}') as busy
  from walk w
  left join (destination t ${ownShard(dispatcher)})
    on t.id = w.destination and t.status = 'active' and not ${isHeld}
  left join unnest(${destinations}::text[], ${lanes}::text[]) b (destination, lanes)
    on b.destination = w.destination
  where w.destination is not null)
select w.destination, coalesce(w.pool, '') as pool, w.own, coalesce(w.consecutive_failures > 0, false) as failing,
  coalesce(w.limited, false) as limited,
  w.own and ${isDue(false)} as fresh, w.own and ${isDue(true)} as retrying
from walked w
order by w.destination`.execute(database);
  return {
    work: rows.filter(({ fresh, retrying }) => fresh || retrying).map(({ own: _, ...work }) => work),
    after: rows.length < maxSteps ? '' : (rows.at(-1)?.destination ?? ''),
  };
}
