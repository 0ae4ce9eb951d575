import type { Database } from '../database/database.ts';
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
