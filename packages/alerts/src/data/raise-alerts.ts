import { rowsOf } from '@waiver-service/database';
import { enqueuing, type Occurrence } from '@waiver-service/outbox';
import { type DatabaseTransaction, notify } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type AlertFacts, alertMessage, alertPath } from './alert-message.ts';

/** The events that `destination.recovered` ends. */
const failures = sql`('destination.failing', 'destination.paused', 'installation.auth_rejected')`;
const quietTime = sql`interval '15 minutes'`;

/** An occurrence, and an alert that is to send or to count it. */
interface Raised extends AlertFacts {
  readonly alert: string;
  readonly alertDestination: string;
  readonly destination: string | null;
  /** The last message about it. */
  readonly last: string | null;
  /** Whether it is only counted, since the last message is too recent. */
  readonly isQuiet: boolean;
  readonly times: number;
  readonly baseUrl: string;
}

/**
 * Joins occurrences with the alerts that cover them; without those that were sent already. After a recovery, failures
 * are quiet, too, so that the last message of a destination that comes and goes is never an outdated one.
 */
async function findRaised(
  transaction: DatabaseTransaction,
  occurrences: readonly Occurrence[],
): Promise<readonly Raised[]> {
  const rows = occurrences.map(({ event, subject, times = 1, since, detail = null }) => ({
    event,
    subject,
    times,
    since: since?.toISOString() ?? null,
    detail,
  }));
  const { rows: found } = await sql<Raised>`
with occurrence as materialized (
  select o.*, t.id as destination, t.pool, t.kind, t.status, t.failing_since, t.consecutive_failures,
    coalesce('status ' || t.last_failure_status, t.last_failure_code) as last_failure
  from ${rowsOf(rows, 'o', {
    event: 'text',
    subject: 'text',
    times: 'integer',
    since: 'timestamptz',
    detail: 'text',
  })}
  left join destination t on t.id = o.subject
  -- There are no alerts about alerts.
  where o.event = 'fault' or t.kind <> 'alert' and t.status <> 'closed')
select a.id as alert, a.destination_id as alert_destination, o.event, o.subject, o.destination, o.pool,
  i.booking_system, w.url as webhook_url, coalesce(o.kind = 'invitation', false) as is_guest_mail,
  o.failing_since as since, coalesce(o.consecutive_failures, 0) as consecutive_failures,
  o.last_failure, o.detail, o.times, last.id as last,
  greatest(coalesce(last.repeated, 0) + o.times - 1, 0) as left_out,
  exists (
    select from sent_alert s where s.alert = a.id and s.subject = o.subject and s.at > now() - ${quietTime}
      and (s.event = o.event or s.event = 'destination.recovered' and o.event in ${failures})) as is_quiet,
  coalesce((select base_url from inbound_base_url), '') as base_url
from occurrence o
join alert a on o.event = any (a.events) and (a.pools is null or o.pool = any (a.pools))
left join installation i on i.destination_id = o.destination
left join webhook w on w.destination_id = o.destination
left join lateral (
  select s.id, s.at, s.repeated from sent_alert s
  where s.alert = a.id and s.subject = o.subject and s.event = o.event order by s.at desc limit 1) last on true
where case when o.event = 'destination.recovered' then
    o.status = 'active' and o.failing_since is null and (o.times > 0 or exists (
      select from sent_alert s where s.alert = a.id and s.subject = o.subject and s.event in ${failures}
        and s.at > coalesce(last.at, '-infinity')))
  else coalesce(last.at < date_trunc('milliseconds', o.since), true) end
order by a.id, o.subject, o.event`.execute(transaction);
  return found.filter(({ isQuiet, times, last }) => !isQuiet || (times > 0 && last !== null));
}

/**
 * Alerts operators: enqueues a message for each alert that covers an occurrence, or, if its last message about the same
 * is not 15 minutes old, counts it for the next one. It locks the alerts, after any destinations, and nothing is locked
 * after them.
 *
 * Each alert's messages about one subject are sent in order, in a separate lane; none supersedes another, since each has
 * a different id in place of a waiver's.
 */
export async function raiseAlerts(
  transaction: DatabaseTransaction,
  occurrences: readonly Occurrence[],
): Promise<void> {
  if (occurrences.length === 0) return;
  const candidates = await findRaised(transaction, occurrences);
  if (candidates.length === 0) return;
  const alerts = candidates.map(({ alert }) => alert);
  // One transaction at a time decides for an alert, knowing what the one before has sent.
  await sql`
select from alert where id = any (${alerts}::text[]) order by id for no key update`.execute(transaction);
  const raised = await findRaised(transaction, occurrences);
  await count(
    transaction,
    raised.filter(({ isQuiet }) => isQuiet),
  );
  await enqueue(
    transaction,
    raised.filter(({ isQuiet }) => !isQuiet),
  );
}

async function count(transaction: DatabaseTransaction, raised: readonly Raised[]): Promise<void> {
  if (raised.length === 0) return;
  const rows = raised.map(({ last, times }) => ({ id: last, times }));
  await sql`
update sent_alert s set repeated = s.repeated + c.times
from ${rowsOf(rows, 'c', { id: 'uuid', times: 'integer' })} where s.id = c.id`.execute(transaction);
}

async function enqueue(transaction: DatabaseTransaction, raised: readonly Raised[]): Promise<void> {
  if (raised.length === 0) return;
  const at = new Date().toISOString();
  const rows = raised.map((facts) => {
    const { alert, alertDestination, subject, event, pool, destination, leftOut, baseUrl } = facts;
    const message = alertMessage(facts);
    const body = {
      type: event,
      at,
      ...(pool === null ? {} : { pool }),
      ...(destination === null ? {} : { destination }),
      message,
      leftOut,
      link: `${baseUrl}${alertPath(facts)}`,
    };
    return {
      id: uuidv7(),
      alert,
      destination: alertDestination,
      orderingKey: subject,
      event,
      ofPool: pool,
      about: destination,
      message,
      leftOut,
      body: JSON.stringify(body),
    };
  });
  await sql`
with message as materialized (
  select m.*, '' as pool from ${rowsOf(rows, 'm', {
    id: 'uuid',
    alert: 'text',
    destination: 'text',
    orderingKey: 'text',
    event: 'text',
    ofPool: 'text',
    about: 'text',
    message: 'text',
    leftOut: 'integer',
    body: 'text',
  })}),
${enqueuing('alert')}
insert into sent_alert (id, alert, event, subject, pool, destination, message, left_out, at)
select id, alert, event, ordering_key, of_pool, about, message, left_out, date_trunc('milliseconds', now())
from message`.execute(transaction);
  await notify(transaction, 'outbox');
}
