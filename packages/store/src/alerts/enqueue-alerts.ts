import type { AlertEvent } from '@waiver-service/api';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/database.ts';
import { rowsOf } from '../database/rows-of.ts';
import { idBefore } from '../pages/ids-of-times.ts';
import { type AlertFacts, alertMessage, alertPath } from './alert-message.ts';

/** An event to send, and its receiver. */
export interface DueAlert {
  readonly alert: string;
  readonly alertDestination: string;
  readonly event: AlertEvent;
  /** The destination that it is about, or the name of a fault. */
  readonly subject: string;
  readonly pool: string | null;
  readonly since: Date | null;
  readonly detail: string | null;
  readonly occurred: number;
}

const keptMs = 90 * 86_400_000;

interface Subject extends Pick<AlertFacts, 'bookingSystem' | 'consecutiveFailures'> {
  readonly id: string;
  readonly kind: string;
  readonly url: string | null;
  readonly last_failure_code: string | null;
  readonly last_failure_status: number | null;
}

async function readSubjects(
  transaction: DatabaseTransaction,
  due: readonly DueAlert[],
): Promise<ReadonlyMap<string, Subject>> {
  const ids = [...new Set(due.map(({ subject }) => subject))];
  const { rows } = await sql<Subject>`
select t.id, t.kind, i.booking_system as "bookingSystem", w.url, t.consecutive_failures as "consecutiveFailures",
  t.last_failure_code, t.last_failure_status
from destination t
left join installation i on i.destination_id = t.id
left join webhook w on w.destination_id = t.id
where t.id = any (${ids}::text[])`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The console's base address; empty until a host that serves HTTP has stored it. */
async function readBaseUrl(transaction: DatabaseTransaction): Promise<string> {
  const { rows } = await sql<{ base_url: string }>`select base_url from inbound_base_url`.execute(
    transaction,
  );
  return rows[0]?.base_url ?? '';
}

function factsOf(
  { event, pool, since, detail, occurred }: DueAlert,
  subject: Subject | undefined,
): AlertFacts {
  const { url = null, last_failure_code: code = null, last_failure_status: status = null } = subject ?? {};
  return {
    event,
    pool,
    since,
    detail,
    occurred,
    bookingSystem: subject?.bookingSystem ?? null,
    isGuestMail: subject?.kind === 'invitation',
    webhookHost: url !== null && URL.canParse(url) ? new URL(url).host : null,
    consecutiveFailures: subject?.consecutiveFailures ?? 0,
    lastFailure: status === null ? code : `status ${status}`,
  };
}

/**
 * Enqueues the messages of alerts. Each alert's messages about one subject are sent in order, in a separate lane; none
 * supersedes another, since each has a different id in place of a waiver's.
 *
 * Only one transaction at a time may do this, so that the sequences of a lane grow in the order of the commits.
 */
export async function enqueueAlerts(
  transaction: DatabaseTransaction,
  due: readonly DueAlert[],
): Promise<void> {
  if (due.length === 0) return;
  const [subjects, baseUrl] = [await readSubjects(transaction, due), await readBaseUrl(transaction)];
  const now = new Date();
  const rows = due.map((each) => {
    const { event, subject, pool, occurred } = each;
    const known = subjects.get(subject);
    const facts = factsOf(each, known);
    const message = alertMessage(facts);
    const body = {
      type: event,
      at: now.toISOString(),
      ...(pool === null ? {} : { pool }),
      ...(known === undefined ? {} : { destination: subject }),
      message,
      leftOut: occurred - 1,
      link: `${baseUrl}${alertPath({ event, pool, subject })}`,
    };
    return {
      id: uuidv7(),
      alert: each.alert,
      alert_destination: each.alertDestination,
      subject,
      event,
      pool,
      destination: known === undefined ? null : subject,
      message,
      left_out: occurred - 1,
      body: JSON.stringify(body),
    };
  });
  await sql`
with message as materialized (
  select m.*, nextval('outbox_sequence') as sequence from ${rowsOf(rows, 'm', {
    id: 'uuid',
    alert: 'text',
    alert_destination: 'text',
    subject: 'text',
    event: 'text',
    pool: 'text',
    destination: 'text',
    message: 'text',
    left_out: 'integer',
    body: 'text',
  })}),
open as materialized (
  select d.id from destination d where d.id in (select alert_destination from message) and d.status <> 'closed'
  order by d.id for key share of d),
wanted as materialized (select m.* from message m join open o on o.id = m.alert_destination),
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body,
    created_at)
  select '', id, alert_destination, 'alert', subject, id::text, 1, null, false, body, date_trunc('milliseconds', now())
  from wanted),
waiting as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
  select alert_destination, id, '', subject, sequence, id::text, null, false, now() from wanted)
insert into sent_alert (id, alert, event, pool, destination, message, left_out, at)
select id, alert, event, pool, destination, message, left_out, date_trunc('milliseconds', now()) from wanted`.execute(
    transaction,
  );
  const oldest = idBefore(new Date(now.getTime() - keptMs));
  await sql`delete from sent_alert where id < ${oldest}::uuid`.execute(transaction);
}
