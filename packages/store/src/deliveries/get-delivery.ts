import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { isDeliveryId } from './delivery-filter.ts';
import { type AttemptItem, type DeliveryDetail, itemColumns } from './delivery-item.ts';
import { laneAndDestination } from './shown-state.ts';

const mostAttempts = 1_000;

interface AttemptRow {
  readonly at: Date;
  readonly duration_ms: number;
  readonly outcome: AttemptItem['outcome'];
  readonly status: number | null;
  readonly error_code: string | null;
  readonly response: string | null;
  readonly trigger: AttemptItem['trigger'];
}

/** One delivery with its body and its tries. */
export async function getDelivery(database: Database, id: string): Promise<DeliveryDetail | undefined> {
  if (!isDeliveryId(id)) return undefined;
  const { rows } = await sql<Omit<DeliveryDetail, 'attempts'>>`
select ${itemColumns}, d.booking_id as "bookingId", d.body
from delivery d ${laneAndDestination} where d.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { rows: attempts } = await sql<AttemptRow>`
select at, duration_ms, outcome, status, error_code, response, trigger from attempt
where delivery = ${id}::uuid order by at desc limit ${mostAttempts}::integer`.execute(database);
  return { ...row, attempts: attempts.reverse().map(attemptOf) };
}

function attemptOf(row: AttemptRow): AttemptItem {
  return {
    at: row.at,
    durationMs: row.duration_ms,
    outcome: row.outcome,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.error_code === null ? {} : { errorCode: row.error_code }),
    ...(row.response === null ? {} : { response: row.response }),
    trigger: row.trigger,
  };
}
