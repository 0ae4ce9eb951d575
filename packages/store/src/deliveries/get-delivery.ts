import type { AttemptItem } from '@waiver-service/api';
import { isUuid, omitNulls, type RowOf } from '@waiver-service/database';
import { stateOfDelivery } from '@waiver-service/outbox';
import { bodyWithOnly } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { type ItemRow, itemColumns, itemOfRow, type StoredDelivery } from './delivery-item.ts';

const maxAttempts = 1_000;

interface AttemptRow extends Omit<RowOf<AttemptItem>, 'warnings'> {
  readonly warnings: string | null;
}

interface DetailRow extends ItemRow {
  readonly body: string;
  readonly reason: string | null;
  readonly nextAttemptAt: Date | null;
  /** The answers that may be sent, if it waits and more were allowed when its body was created. */
  readonly narrowedTo: readonly string[] | null;
}

export async function getDelivery(database: Database, id: string): Promise<StoredDelivery | undefined> {
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
  const { narrowedTo, body, reason, nextAttemptAt, ...item } = row;
  const isWhole = narrowedTo === null || row.kind === 'alert' || row.kind === 'invitation';
  return {
    ...itemOfRow(item),
    ...omitNulls({ reason, nextAttemptAt }, 'reason', 'nextAttemptAt'),
    body: isWhole ? body : bodyWithOnly(row.kind, body, narrowedTo),
    warnings: attempts.at(-1)?.warnings ?? [],
    attempts,
  };
}

const attemptOf = ({ warnings, ...row }: AttemptRow): AttemptItem => ({
  ...omitNulls(row, 'status', 'errorCode', 'response'),
  warnings: warnings === null ? undefined : JSON.parse(warnings),
});
