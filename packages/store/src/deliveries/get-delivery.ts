import { isUuid } from '@waiver-service/database';
import { stateOfDelivery } from '@waiver-service/outbox';
import { bodyWithOnly } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import {
  type AttemptItem,
  type DeliveryDetail,
  type ItemRow,
  itemColumns,
  itemOfRow,
} from './delivery-item.ts';

const maxAttempts = 1_000;

interface AttemptRow {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptItem['outcome'];
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly response: string | null;
  readonly warnings: string | null;
  readonly trigger: AttemptItem['trigger'];
}

interface DetailRow extends ItemRow, Pick<DeliveryDetail, 'body' | 'reason' | 'nextAttemptAt'> {
  /** The answers that may be sent, if it waits and more were allowed when its body was created. */
  readonly narrowedTo: readonly string[] | null;
}

export async function getDelivery(database: Database, id: string): Promise<DeliveryDetail | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<DetailRow>`
select ${itemColumns}, d.body, e.reason,
  p.due_at as next_attempt_at,
  case when p.id is not null and d.permission_version < t.permission_version
    then coalesce(w.properties, i.share_properties) end as narrowed_to
from delivery d ${stateOfDelivery}
left join webhook w on w.destination_id = d.destination
left join installation i on i.destination_id = d.destination
where d.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  // The stored responses of a closed destination are being erased, so none is shown.
  const { rows: newestFirst } = await sql<AttemptRow>`
select a.at, a.duration_ms, a.outcome, a.status, a.error_code, a.trigger,
  case when t.status <> 'closed' then a.response end as response,
  case when t.status <> 'closed' then a.warnings end as warnings
from attempt a join delivery d on d.id = a.delivery join destination t on t.id = d.destination
where a.delivery = ${id}::uuid order by a.at desc limit ${maxAttempts}::integer`.execute(database);
  const attempts = newestFirst.reverse().map(attemptOf);
  const { narrowedTo, ...detail } = itemOfRow(row);
  const body =
    narrowedTo === null || row.kind === 'alert' || row.kind === 'invitation'
      ? row.body
      : bodyWithOnly(row.kind, row.body, narrowedTo);
  return { ...detail, body, warnings: attempts.at(-1)?.warnings ?? [], attempts };
}

function attemptOf(row: AttemptRow): AttemptItem {
  return {
    at: row.at,
    durationMs: row.durationMs,
    outcome: row.outcome,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.errorCode === null ? {} : { errorCode: row.errorCode }),
    ...(row.response === null ? {} : { response: row.response }),
    ...(row.warnings === null ? {} : { warnings: JSON.parse(row.warnings) }),
    trigger: row.trigger,
  };
}
