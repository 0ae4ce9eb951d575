import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Ends every lease, for a process that knows that no other one is alive: the next reclaim frees their lanes. */
export async function expireLeases(database: Database): Promise<void> {
  await sql`update lane set lease_until = now() where state = 'leased' and lease_until > now()`.execute(
    database,
  );
}
