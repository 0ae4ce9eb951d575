import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { idAfter, idBefore } from '../pages/ids-of-times.ts';
import type { DeliveryFilter } from './delivery-filter.ts';

/** The most failed deliveries that a page examines, whatever else they have to match. */
const maxScanned = 1_000;

/** Whether a filter selects by the errors of attempts. */
export const isAboutErrors = ({ errorCode, status }: DeliveryFilter): boolean =>
  errorCode !== undefined || status !== undefined;

/** The newest deliveries with a failed attempt that matches a filter, and whether older ones are left. */
export interface FailedDeliveries {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Finds deliveries by the errors of their attempts, newest first.
 *
 * @param before the id to continue before.
 */
export async function findFailed(
  database: Database,
  { errorCode, status, since, until }: DeliveryFilter,
  before: string | undefined,
): Promise<FailedDeliveries> {
  const conditions: RawBuilder<boolean>[] = [sql`a.error_code is not null`];
  if (errorCode !== undefined) conditions.push(sql`a.error_code = ${errorCode}`);
  if (status !== undefined) conditions.push(sql`a.status = ${status}::integer`);
  if (since !== undefined) conditions.push(sql`a.delivery >= ${idBefore(since)}::uuid`);
  if (until !== undefined) conditions.push(sql`a.delivery <= ${idAfter(until)}::uuid`);
  if (before !== undefined) conditions.push(sql`a.delivery < ${before}::uuid`);
  const { rows } = await sql<{ id: string }>`
select a.delivery as id from attempt a where ${sql.join(conditions, sql` and `)}
group by a.delivery order by a.delivery desc limit ${maxScanned}::integer`.execute(database);
  return { ids: rows.map(({ id }) => id), hasMore: rows.length === maxScanned };
}
