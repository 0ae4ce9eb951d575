import { randomUUID } from 'node:crypto';
import { bodyWithOnly } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { AttemptTrigger, ClaimedDelivery } from './delivery-types.ts';
import { isHeld } from './hold-destinations.ts';

/** How much of one destination may be claimed. */
export interface DestinationShare {
  readonly destination: string;
  readonly slots: number;
}

/** What is claimed. */
export interface ClaimRequest {
  readonly shares: readonly DestinationShare[];
  readonly limit: number;
  /** Lanes whose next delivery was tried before, or those whose was not. */
  readonly retrying: boolean;
  readonly leaseMs: number;
}

/** What a claim has to know of a destination `t` besides its lanes. */
const destinationColumns = sql`
  t.id, t.consecutive_failures > 0 or t.status <> 'active' as failing,
  -- The transaction that wrote a row last tells its versions apart, however soon one follows the other.
  coalesce(w.xmin::text, concat(i.xmin, ' ', b.xmin)) as settings_version,
  t.permission_version, coalesce(w.properties, i.share_properties) as listed`;

const destinationSettings = sql`
  left join webhook w on w.destination_id = t.id
  left join installation i on i.destination_id = t.id
  left join booking_system b on b.install_name = i.booking_system`;

interface ClaimedRow extends ClaimedDelivery {
  /** Where fewer answers may leave than when the body was made: which. Read in the statement that claims. */
  readonly narrowedTo: readonly string[] | null;
}

function claimedOf({ narrowedTo, ...claimed }: ClaimedRow): ClaimedDelivery {
  if (narrowedTo === null) return claimed;
  return { ...claimed, body: bodyWithOnly(claimed.kind, claimed.body, narrowedTo) };
}

/**
 * The part of a claim that leases picked lanes. It stands after a CTE `pick (c)` of locked lanes' addresses and a CTE
 * `share` with the destinations' columns.
 *
 * A lane that changed between this statement's snapshot and its lock is not visible by its new address and is left
 * for the next claim: so the delivery that the snapshot shows as the lane's next one really is. The lane remembers it
 * (`current`), so that a change that comes in now does not supersede what is in flight.
 *
 * `is not distinct from` keeps PostgreSQL from walking the index of all that is ready for each lane, when its statistics
 * are of a moment at which nothing was: the address alone finds the lane.
 */
function leasePicked(leaseMs: number, trigger: RawBuilder<AttemptTrigger>): RawBuilder<ClaimedRow> {
  const token = randomUUID();
  return sql`
head as materialized (
  select s.ctid as c, h.* from lane s
  cross join lateral (
    select d.id, d.kind, d.waiver_id, d.version, d.booking_id, d.body, d.attempts, d.in_doubt,
      d.permission_version
    from delivery d
    where d.destination = s.destination and d.ordering_key = s.ordering_key and d.pool = s.pool
      and d.state = 'waiting' and d.sequence > s.done_sequence
    order by d.sequence limit 1) h
  where s.ctid = any (array (select c from pick))),
leased as (
  update lane l set state = 'leased', current = h.id, lease_token = ${token}::uuid, leased_at = now(),
    lease_until = now() + ${leaseMs}::integer * interval '1 millisecond'
  from head h where l.ctid = h.c and l.state is not distinct from 'ready'
  returning l.pool, l.destination, l.ordering_key, l.manual, l.faults, h.id, h.kind, h.waiver_id, h.version,
    h.booking_id, h.body, h.attempts, h.in_doubt, h.permission_version)
select l.pool, l.destination, l.ordering_key as "orderingKey", ${token} as "leaseToken", l.id, l.kind,
  l.waiver_id as "waiverId", l.version, l.booking_id as "bookingId", l.body, l.attempts, l.in_doubt as "inDoubt",
  l.faults, s.failing, s.settings_version as "settingsVersion", ${trigger} as trigger,
  case when l.permission_version < s.permission_version then s.listed end as "narrowedTo"
from leased l join share s on s.id = l.destination`;
}

/** Leases lanes that are due, oldest first at each destination, and returns the next delivery of each. */
export async function claimLanes(database: Database, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { shares, limit, retrying, leaseMs } = request;
  if (shares.length === 0 || limit <= 0) return [];
  const destinations = shares.map(({ destination }) => destination);
  const slots = shares.map((share) => share.slots);
  const { rows } = await sql<ClaimedRow>`${prepared}
with share as materialized (
  select s.slots, ${destinationColumns}
  from unnest(${destinations}::text[], ${slots}::integer[]) with ordinality s (destination, slots, place)
  join destination t on t.id = s.destination and t.status = 'active' and not ${isHeld}
  ${destinationSettings}
  order by s.place),
pick as materialized (
  select p.c from share s cross join lateral (
    select l.ctid as c from lane l
    where l.destination = s.id and l.state = 'ready' and l.retrying = ${retrying}::boolean
      and l.due_at <= now()
    order by l.due_at limit s.slots for update skip locked) p
  limit ${limit}::integer),
${leasePicked(leaseMs, sql`case when l.manual then 'manual' else 'schedule' end`)}`.execute(database);
  return rows.map(claimedOf);
}

/** Which probes are claimed. */
export interface ProbeRequest {
  readonly limit: number;
  readonly probeIntervalMs: number;
  readonly leaseMs: number;
}

/**
 * Leases one lane of each destination that failures have paused and whose probe is due, whether the lane is due or
 * not. One probe per destination and interval, however many hosts ask.
 */
export async function claimProbes(database: Database, request: ProbeRequest): Promise<ClaimedDelivery[]> {
  const { limit, probeIntervalMs, leaseMs } = request;
  if (limit <= 0) return [];
  const { rows } = await sql<ClaimedRow>`${prepared}
with due as materialized (
  select t.id from destination t
  where t.paused_by = 'failures' and t.next_probe_at <= now() and not ${isHeld}
    and exists (select from lane l where l.destination = t.id and l.state = 'ready')
  order by t.next_probe_at limit ${limit}::integer for no key update skip locked),
probed as (
  update destination t set next_probe_at = now() + ${probeIntervalMs}::double precision * interval '1 millisecond'
  from due where t.id = due.id
  returning t.id, t.consecutive_failures, t.status, t.permission_version),
share as materialized (select ${destinationColumns} from probed t ${destinationSettings}),
pick as materialized (
  select p.c from share s cross join lateral (
    select l.ctid as c from lane l where l.destination = s.id and l.state = 'ready'
    order by l.due_at limit 1 for update skip locked) p),
${leasePicked(leaseMs, sql`'probe'`)}`.execute(database);
  return rows.map(claimedOf);
}
