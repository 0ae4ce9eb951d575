import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { hasAlerts } from '../outbox/alert-occurrences.ts';
import { conditions } from './conditions.ts';
import { type DueAlert, enqueueAlerts } from './enqueue-alerts.ts';

/*
 * From facts to alerts. Facts come in two kinds, and neither is lost if a host dies:
 *
 *   conditions   a present problem (conditions.ts), read from rows that exist anyway
 *   occurrences  a one-time event: a row, written by the statement that records the fact itself
 *
 * A topic is one event of one subject (a destination, or the name of a fault) as one alert knows it. Its states:
 *
 *   quiet     nothing to send
 *   untold    it happened `untold` times since its last alert; sent once that was 15 minutes ago, and, for a condition,
 *             only while it lasts
 *   told      `told_at`; for a condition that is a failure also `failure_told`, until its recovery is sent
 *
 * All hosts run this job; a lock admits one of them at a time. Decisions are committed together with their messages.
 */

const quietMinutes = 15;

/** The advisory lock that admits one host at a time; a random number. */
export const lockKey = 4_082_311_907;

/** Events whose end is alerted as a recovery. */
const failures = sql`('destination.failing', 'destination.paused', 'installation.auth_rejected')`;

/** Whether an alert `a` still wants a topic `t`: its events and pools may have changed since it was noticed. */
const isWanted = sql`(t.event = any (a.events) and (a.pools is null or t.pool = any (a.pools)))`;

const isQuiet = sql`(t.told_at is null or t.told_at <= now() - ${quietMinutes}::integer * interval '1 minute')`;

/**
 * Updates the topics from conditions and occurrences, for each alert's own events and pools. Failures are topics even of
 * alerts for recoveries only. Unchanged topics are not written.
 */
async function notice(transaction: DatabaseTransaction): Promise<void> {
  await sql`
with condition as materialized (${conditions}),
occurrence as (
  delete from alert_occurrence returning event, subject, pool, occurred, detail, at),
fact as (
  select c.event, c.subject, c.pool, c.since, 0 as occurred, null::text as detail, null::timestamptz as at
  from condition c
  union all
  select o.event, o.subject, o.pool, null, o.occurred, o.detail, o.at from occurrence o),
noticed as (
  select a.id as alert, f.event, f.subject, max(f.pool) as pool, max(f.since) as since,
    sum(f.occurred)::integer as occurred, max(f.at) as occurred_at, max(f.detail) as detail
  from alert a join fact f
    on (f.event = any (a.events) or f.event in ${failures} and 'destination.recovered' = any (a.events))
    and (a.pools is null or f.pool = any (a.pools))
    and (f.at is null or f.at >= a.created_at)
  group by a.id, f.event, f.subject),
compared as (
  select n.*, n.since is not null as present,
    coalesce(t.untold, 0) + n.occurred
      + (n.since is not null and (t.alert is null or not t.present or t.since is distinct from n.since))::integer
      as untold
  from noticed n
  left join alert_topic t on t.alert = n.alert and t.event = n.event and t.subject = n.subject
  where t.alert is null or n.occurred > 0 or not t.present or t.since is distinct from n.since)
insert into alert_topic (alert, event, subject, pool, since, present, untold, occurred_at, detail)
select alert, event, subject, pool, since, present, untold, occurred_at, detail from compared
on conflict (alert, event, subject) do update set
  since = coalesce(excluded.since, alert_topic.since), present = excluded.present, untold = excluded.untold,
  occurred_at = coalesce(excluded.occurred_at, alert_topic.occurred_at), detail = excluded.detail`.execute(
    transaction,
  );
  await sql`
with condition as materialized (${conditions})
update alert_topic t set present = false
where t.present and not exists (
  select from condition c where c.event = t.event and c.subject = t.subject)`.execute(transaction);
}

/**
 * Decides which alerts are sent now. One statement: however often and on how many hosts it runs, nothing is sent twice
 * within the quiet time.
 *
 * A rejected key may be a condition, or an occurrence when bookings are read: the latter is sent only if it is recent.
 */
async function takeDueAlerts(transaction: DatabaseTransaction): Promise<readonly DueAlert[]> {
  const { rows } = await sql<DueAlert & { readonly wanted: boolean }>`
with due as materialized (
  select t.alert, t.event, t.subject, t.untold from alert_topic t
  where t.untold > 0 and ${isQuiet} and case
    when t.present or t.event in ('delivery.dead', 'fault') then true
    when t.event = 'installation.auth_rejected' then t.occurred_at > now() - interval '2 minutes'
    else false end
  order by t.alert, t.subject, t.event for update of t)
update alert_topic t set untold = 0, told_at = now(), failure_told = t.failure_told or t.present
from due join alert a on a.id = due.alert
where t.alert = due.alert and t.event = due.event and t.subject = due.subject
returning t.alert, a.destination_id as "alertDestination", t.event, t.subject, t.pool, t.since, t.detail,
  due.untold as occurred, ${isWanted} as wanted`.execute(transaction);
  return rows.filter(({ wanted }) => wanted);
}

/**
 * Decides which recoveries are sent now: those of destinations whose failure was sent, that have no failure left, and
 * that accepted a message since. Being resumed by a person is not a recovery; being authorized again is.
 */
async function takeDueRecoveries(transaction: DatabaseTransaction): Promise<readonly DueAlert[]> {
  const { rows } = await sql<DueAlert & { readonly wanted: boolean }>`
with recovered as materialized (
  select f.alert, f.subject, max(f.pool) as pool from alert_topic f
  join destination d on d.id = f.subject and d.status = 'active'
  where f.event in ${failures}
  group by f.alert, f.subject
  having bool_or(f.failure_told) and not bool_or(f.present)
    and bool_and(not f.failure_told or f.event = 'installation.auth_rejected' or d.last_success_at >= f.since)),
told as (
  insert into alert_topic as t (alert, event, subject, pool, told_at)
  select r.alert, 'destination.recovered', r.subject, r.pool, now() from recovered r
  on conflict (alert, event, subject) do update set told_at = now() where ${isQuiet}
  returning t.alert, t.event, t.subject, t.pool, t.since, t.detail),
ended as (
  update alert_topic f set failure_told = false from told
  where f.alert = told.alert and f.subject = told.subject and f.event in ${failures})
select t.alert, a.destination_id as "alertDestination", t.event, t.subject, t.pool, t.since, t.detail, 1 as occurred,
  ${isWanted} as wanted
from told t join alert a on a.id = t.alert`.execute(transaction);
  return rows.filter(({ wanted }) => wanted);
}

/** Deletes the topics of closed destinations. */
async function forgetClosed(transaction: DatabaseTransaction): Promise<void> {
  await sql`
delete from alert_topic t using destination d where d.id = t.subject and d.status = 'closed'`.execute(
    transaction,
  );
}

/** The job that decides which alerts to send. @param onEnqueued called after the commit of messages to send */
export function createAlertJob(database: Database, onEnqueued: () => void): BackgroundJob {
  return {
    name: 'alerts',
    async runBatch() {
      const { rows } = await sql<{ any: boolean }>`select ${hasAlerts} as any`.execute(database);
      if (rows[0]?.any !== true) return false;
      const count = await database.transaction().execute(async (transaction) => {
        const { rows: locks } = await sql<{ mine: boolean }>`
select pg_try_advisory_xact_lock(${lockKey}::bigint) as mine`.execute(transaction);
        if (locks[0]?.mine !== true) return 0;
        // Removing an alert locks it first, too.
        await sql`select from alert order by id for key share`.execute(transaction);
        await notice(transaction);
        await forgetClosed(transaction);
        const all = [...(await takeDueAlerts(transaction)), ...(await takeDueRecoveries(transaction))];
        await enqueueAlerts(transaction, all);
        return all.length;
      });
      if (count > 0) onEnqueued();
      return false;
    },
  };
}
