import { sql } from 'kysely';

/** Consecutive failures after which a destination counts as failing, if they span {@link failingAfter}. */
const failuresOfFailing = 3;
/** A shorter outage is not worth waking anyone. */
const failingAfter = sql.lit('1 minute');
/** Consecutive refusals of a key: a single one may be a proxy's. */
const rejectionsOfKey = 2;

/**
 * The current conditions, as a query of `(event, subject, pool, since)`: read from the rows that dispatchers and session
 * renewals write anyway, so that nothing has to be raised, or is lost if a host dies. `since` identifies the occasion: it
 * changes when the same problem recurs. Excludes alerts' own destinations.
 */
export const conditions = sql`
select 'destination.failing' as event, t.id as subject, t.pool, t.failing_since as since
from destination t
where t.failing_since <= now() - ${failingAfter}::interval and t.consecutive_failures >= ${failuresOfFailing}::integer
  and t.status <> 'closed' and t.kind <> 'alert'
union all
select 'destination.paused', t.id, t.pool, coalesce(t.failing_since, t.last_failure_at)
from destination t where t.failing_since is not null and t.paused_by = 'failures' and t.kind <> 'alert'
union all
select 'installation.auth_rejected', i.destination_id, i.pool, min(r.since)
from (
  -- An installation that was never authorized is not rejected.
  select s.destination, s.lost_since as since from booking_system_session s
  where s.lost_since is not null and (s.session_encrypted is not null or s.failures > 0)
  union all
  select t.id, t.failing_since from destination t
  where t.failing_since is not null and t.kind = 'guest-update'
    and t.consecutive_failures >= ${rejectionsOfKey}::integer and t.last_failure_status in (401, 403)) r
join installation i on i.destination_id = r.destination and i.status = 'installed'
group by i.destination_id, i.pool
union all
select 'installation.pending', i.destination_id, i.pool, i.installed_at
from installation i where i.status = 'pending'`;
