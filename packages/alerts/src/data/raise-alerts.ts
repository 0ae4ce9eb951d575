import type { AlertEvent } from '@waiver-service/api';
import { rowsOf } from '@waiver-service/database';
import { enqueuing, type Occurrence } from '@waiver-service/outbox';
import { type DatabaseTransaction, notify } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';

interface AlertFacts {
  readonly event: AlertEvent;
  /** The destination that it is about, or the name of a fault. */
  readonly subject: string;
  readonly pool: string | null;
  /** The install name, if the subject is an installation. */
  readonly bookingSystem: string | null;
  /** Its address, if the subject is a webhook. */
  readonly webhookUrl: string | null;
  /** Whether the subject is a pool's e-mail to guests. */
  readonly isGuestMail: boolean;
  readonly since: Date | null;
  readonly consecutiveFailures: number;
  readonly lastFailure: string | null;
  readonly detail: string | null;
  /** How often it happened before, since its last alert. */
  readonly leftOut: number;
}

const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function nameOf({ bookingSystem, webhookUrl, isGuestMail, pool }: AlertFacts): string {
  const ofPool = `of pool ${pool ?? ''}`;
  if (bookingSystem !== null) return `The booking system ${bookingSystem} ${ofPool}`;
  if (isGuestMail) return `The mail server, for the guests ${ofPool},`;
  const host = webhookUrl !== null && URL.canParse(webhookUrl) ? new URL(webhookUrl).host : undefined;
  return `The webhook at ${host ?? 'an address that was removed'} ${ofPool}`;
}

function failing({ since, consecutiveFailures, lastFailure }: AlertFacts): string {
  const cause = lastFailure === null ? '' : `, the last time with ${lastFailure}`;
  const start = since === null ? '' : ` since ${minuteOf(since)}`;
  return `has only failed${start}: ${consecutiveFailures} times in a row${cause}`;
}

function sentenceOf(facts: AlertFacts): string {
  const name = nameOf(facts);
  switch (facts.event) {
    case 'delivery.dead':
      return facts.leftOut === 0
        ? `${name} did not take a message, which is given up. Retry it when the cause is mended.`
        : `${name} did not take ${facts.leftOut + 1} messages, which are given up. Retry them when the cause is mended.`;
    case 'destination.failing':
      return `${name} ${failing(facts)}. Messages are retried.`;
    case 'destination.paused':
      return `${name} ${failing(facts)}. It is paused: messages are kept, and one is sent now and then as a probe.`;
    case 'destination.recovered':
      return `${name} works again.`;
    case 'installation.auth_rejected':
      return `${name} rejects the service's key or authorization. Install or authorize it again.`;
    case 'installation.pending':
      return `${name} has installed itself and waits for approval.`;
    case 'fault':
      return facts.detail ?? 'The service failed; the log says how.';
  }
}

/** The message of an alert, for people, without secrets or guests' data. */
function alertMessage(facts: AlertFacts): string {
  const { leftOut } = facts;
  // A count is part of the sentence already.
  if (leftOut === 0 || facts.event === 'delivery.dead') return sentenceOf(facts);
  return `${sentenceOf(facts)} (It happened ${leftOut === 1 ? 'once' : `${leftOut} times`} before, since the last alert.)`;
}

/** The console page with more details, relative to the public base address. */
function alertPath({ event, pool, subject }: Pick<AlertFacts, 'event' | 'pool' | 'subject'>): string {
  const ofPool = pool === null ? '' : `pool=${encodeURIComponent(pool)}`;
  switch (event) {
    case 'delivery.dead':
      return `/console/deliveries?state=dead&destination=${encodeURIComponent(subject)}&${ofPool}`;
    case 'destination.failing':
    case 'destination.paused':
    case 'destination.recovered':
      return `/console/destinations?${ofPool}`;
    case 'installation.auth_rejected':
    case 'installation.pending':
      return `/console/pools/${encodeURIComponent(pool ?? '')}`;
    case 'fault':
      return '/console/';
  }
}

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
