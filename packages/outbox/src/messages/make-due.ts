import { sql } from 'kysely';
import type { Database } from '../data/tables.ts';

const batch = 1_000;

/** Makes all messages that wait for a destination due now, in small batches. */
export async function makeDue(database: Database, destination: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ hastened: number }>`
with far as materialized (
  select p.destination, p.id, p.pool from pending p
  where p.destination = ${destination} and p.retrying in (false, true) and p.due_at > now()
  limit ${batch}::integer for update skip locked),
hastened as (
  update pending p set due_at = now() from far f
  where p.destination = f.destination and p.id = f.id and p.pool = f.pool
  returning 1)
select count(*) as hastened from hastened`.execute(database);
    if ((rows[0]?.hastened ?? 0) < batch) return;
  }
}
