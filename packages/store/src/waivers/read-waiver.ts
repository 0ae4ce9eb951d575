import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { WaiverTable } from '../database/tables-outbox.ts';
import type { WaiverState } from './waiver-record.ts';
import { stateOf } from './waiver-row.ts';

/**
 * Reads one record.
 *
 * @param options `lock: true` locks its row, inside a transaction.
 */
export async function readWaiver(
  database: Database,
  pool: string,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<WaiverState | undefined> {
  const query = database.selectFrom('waiver').selectAll().where('pool', '=', pool).where('id', '=', id);
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst();
  return row && stateOf(row);
}

/** Reads some records, without a lock; those that are there, by their ids. */
export async function readWaivers(
  database: Database,
  wanted: readonly { readonly pool: string; readonly id: string }[],
): Promise<ReadonlyMap<string, WaiverState>> {
  const pools = wanted.map(({ pool }) => pool);
  const ids = wanted.map(({ id }) => id);
  const { rows } = await sql<Omit<Selectable<WaiverTable>, 'content_hash'>>`${prepared}
select w.pool, w.id, w.version, w.booking_system, w.booking_id, w.booking_guest_id, w.activities, w.last_visit,
  w.last_visit_source, w.current_page, w.answers, w.deleted, w.created_at, w.updated_at
from unnest(${pools}::text[], ${ids}::text[]) k (pool, id) join waiver w on w.pool = k.pool and w.id = k.id`.execute(
    database,
  );
  return new Map(rows.map((row) => [row.id, stateOf(row)]));
}
