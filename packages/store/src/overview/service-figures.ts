import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { isHeld } from '../outbox/hold-destinations.ts';

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
export async function readServiceFigures(database: Database): Promise<ServiceFigures> {
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
  (select count(*) from alert a join destination t on t.id = a.destination_id
    where t.failing_since is not null or t.status = 'paused')::integer as failing_alerts,
  coalesce(extract(epoch from now() - least(
    (select received_at from signing where sequence is null order by received_at limit 1),
    (select at from signing_event where sequence is null order by at limit 1))), 0)::double precision as sealing_delay_seconds,
  (select count(*) from evidence_root where token is null)::integer as unstamped_days,
  (select count(*) from dispatcher where lease_until > now())::integer as dispatchers`.execute(database);
  const [figures] = rows;
  if (figures === undefined) throw new Error('a statement without a table returned no row');
  return figures;
}
