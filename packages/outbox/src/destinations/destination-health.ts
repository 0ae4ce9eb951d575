import type { AlertEvent } from '@waiver-service/api';
import { milliseconds, prepared, rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import type { Occurrence, OutboxContext } from '../outbox-context.ts';

/** The result of several consecutive calls to one destination. */
export interface DestinationHealth {
  readonly destination: string;
  /** Whether one of them was accepted. */
  readonly succeeded: boolean;
  /** The number of failures after the last success, or of all if there was none. */
  readonly failures: number;
  readonly lastErrorCode?: string | undefined;
  readonly lastStatus?: number | undefined;
  /** Whether the receiver is permanently gone (a webhook's 410). */
  readonly gone: boolean;
}

/** When a destination is paused. */
export interface PausePolicy {
  /** How long it must have failed without a success. */
  readonly pauseAfterMs: number;
  readonly probeIntervalMs: number;
}

/** A destination that was paused or resumed. */
export interface PauseChange {
  readonly destination: string;
  readonly change: 'paused' | 'resumed';
}

// The minimum between two recorded successes of a healthy destination, whose row would otherwise be the busiest of all.
const successEveryMs = 10_000;

/** Consecutive failures after which a destination counts as failing, if they span {@link failingAfter}. */
const failuresOfFailing = 3;
/** A shorter outage is not worth waking anyone. */
const failingAfter = sql.lit('1 minute');
/** Consecutive refusals of a key: a single one may be a proxy's. */
const rejectionsOfKey = 2;

/** The events of the problems that a destination `t` has. */
const problems = sql`array_remove(array[
  case when t.consecutive_failures >= ${failuresOfFailing}::integer
    and t.last_failure_at >= t.failing_since + ${failingAfter}::interval then 'destination.failing' end,
  case when t.failing_since is not null and t.paused_by = 'failures' then 'destination.paused' end,
  case when t.failing_since is not null and t.kind = 'guest-update'
    and t.consecutive_failures >= ${rejectionsOfKey}::integer and t.last_failure_status in (401, 403)
    then 'installation.auth_rejected' end], null)`;

interface RecordedHealth {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly problems: readonly AlertEvent[];
  readonly formerProblems: readonly AlertEvent[];
  /** Whether it had failed since its last success. */
  readonly hadFailed: boolean;
}

/** A problem lasts for as long as the failures do; any success ends all, also after a person has resumed it. */
function occurrencesOf(recorded: RecordedHealth): Occurrence[] {
  const { id: subject, failures, failingSince: since, problems, formerProblems: former } = recorded;
  if (failures > 0)
    return problems.map((event) => ({ event, subject, since, times: former.includes(event) ? 0 : 1 }));
  if (!recorded.hadFailed) return [];
  return [{ event: 'destination.recovered', subject, times: former.length > 0 ? 1 : 0 }];
}

/**
 * Records the health of destinations, pauses those that only fail, and resumes paused ones that succeed. Reports
 * problems and recoveries.
 */
export async function recordHealth(
  { database, report }: Pick<OutboxContext, 'database' | 'report'>,
  health: readonly DestinationHealth[],
  policy: PausePolicy,
): Promise<PauseChange[]> {
  if (health.length === 0) return [];
  const rows = await database.transaction().execute(async (transaction) => {
    const recorded = await writeHealth(transaction, health, policy);
    await report(transaction, recorded.flatMap(occurrencesOf));
    return recorded;
  });
  const changed = rows.filter(({ before, after }) => before !== after);
  return changed.map(({ id, after }) => ({
    destination: id,
    change: after === 'paused' ? 'paused' : 'resumed',
  }));
}

async function writeHealth(
  transaction: DatabaseTransaction,
  health: readonly DestinationHealth[],
  { pauseAfterMs, probeIntervalMs }: PausePolicy,
): Promise<readonly RecordedHealth[]> {
  const parameters = health.map(({ destination, succeeded, failures, lastErrorCode, lastStatus, gone }) => ({
    id: destination,
    succeeded,
    failures,
    errorCode: lastErrorCode ?? null,
    status: lastStatus ?? null,
    gone,
  }));
  const { rows } = await sql<RecordedHealth>`${prepared}
with said as (
  select * from ${rowsOf(parameters, 's', {
    id: 'text',
    succeeded: 'boolean',
    failures: 'integer',
    errorCode: 'text',
    status: 'integer',
    gone: 'boolean',
  })}),
found as materialized (
  select t.id, t.status as before, ${problems} as former_problems,
    coalesce(t.last_failure_at >= coalesce(t.last_success_at, '-infinity'), false) as had_failed, s.succeeded, s.failures, s.error_code, s.status, s.gone,
    case when s.failures = 0 then null when s.succeeded then now() else coalesce(t.failing_since, now()) end as since
  from destination t join said s on s.id = t.id
  where t.status <> 'closed' and not (s.failures = 0 and t.consecutive_failures = 0 and t.status = 'active'
    and coalesce(t.last_success_at > now() - ${milliseconds(successEveryMs)}, false))
  order by t.id for no key update of t),
judged as (
  select f.*, case
    when f.before = 'active' and f.failures > 0
      and (f.gone or f.since <= now() - ${milliseconds(pauseAfterMs)}) then 'pause'
    when f.succeeded then 'resume'
    else 'keep' end as verdict
  from found f)
update destination t set
  failing_since = j.since,
  consecutive_failures = case when j.succeeded then j.failures else t.consecutive_failures + j.failures end,
  last_success_at = case when j.succeeded then date_trunc('milliseconds', now()) else t.last_success_at end,
  last_failure_at = case when j.failures > 0 then date_trunc('milliseconds', now()) else t.last_failure_at end,
  last_failure_code = case when j.failures > 0 then j.error_code else t.last_failure_code end,
  last_failure_status = case when j.failures > 0 then j.status else t.last_failure_status end,
  status = case when j.verdict = 'pause' then 'paused'
    when j.verdict = 'resume' and t.paused_by = 'failures' then 'active' else t.status end,
  paused_by = case when j.verdict = 'pause' then 'failures'
    when j.verdict = 'resume' and t.paused_by = 'failures' then null else t.paused_by end,
  next_probe_at = case when j.verdict = 'pause'
    then now() + ${milliseconds(probeIntervalMs)}
    when j.verdict = 'resume' then null else t.next_probe_at end
from judged j where t.id = j.id
returning t.id, j.before, t.status as after, j.failures, t.failing_since, ${problems} as problems, j.former_problems,
  j.had_failed`.execute(transaction);
  return rows;
}
