import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const batch = 1_000;

/** Makes everything that waits at a destination due now, in small batches. Lanes that are in use come by themselves. */
export async function hastenLanes(database: Database, destination: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ hastened: number }>`
with far as (
  select l.ctid as c from lane l where l.destination = ${destination} and l.state = 'ready' and l.due_at > now()
  order by l.destination, l.ordering_key limit ${batch}::integer for update skip locked),
hastened as (
  update lane set due_at = now() where ctid = any (array (select c from far)) and state is not distinct from 'ready'
  returning 1)
select count(*) as hastened from hastened`.execute(database);
    if ((rows[0]?.hastened ?? 0) < batch) return;
  }
}
