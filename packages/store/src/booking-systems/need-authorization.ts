import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

/** Records that an installation needs an operator's authorization, unless it has one. */
export async function needAuthorization(
  transaction: DatabaseTransaction,
  destination: string,
  reason: string,
): Promise<void> {
  await sql`
insert into booking_system_session (destination, lost_since, lost_reason)
values (${destination}, date_trunc('milliseconds', now()), ${reason})
on conflict do nothing`.execute(transaction);
}
