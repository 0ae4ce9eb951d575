import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';

/** Records that an installation needs an operator's authorization, unless it has one. */
export async function needAuthorization(
  transaction: DatabaseTransaction,
  destination: string,
  reason: string,
): Promise<void> {
  await transaction
    .insertInto('bookingSystemSession')
    .values({ destination, lostSince: sql<Date>`date_trunc('milliseconds', now())`, lostReason: reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
