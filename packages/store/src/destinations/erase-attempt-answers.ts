import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { beforeFirstId } from '../pages/ids-of-times.ts';

const batch = 1_000;

/**
 * Erases the stored responses of a destination's attempts: they may name guests, and partners can no longer be asked
 * about them. In small batches, so that it can run inside or outside a transaction. Call it once no attempt of the
 * destination can be recorded anymore.
 */
export async function eraseAttemptAnswers(database: Database, destination: string): Promise<void> {
  let after = beforeFirstId;
  for (;;) {
    const { rows } = await sql<{ last: string | null }>`
with found as materialized (
  select a.delivery from destination t join attempt a on a.pool = t.pool
  where t.id = ${destination} and (a.response is not null or a.warnings is not null) and a.delivery > ${after}::uuid
  order by a.delivery limit ${batch}::integer),
-- All attempts of one delivery are erased together: the next batch begins after it.
deliveries as (
  select distinct f.delivery, d.destination from found f join delivery d on d.id = f.delivery),
erased as (
  update attempt a set response = null, warnings = null from deliveries d
  where a.delivery = d.delivery and d.destination = ${destination}
    and (a.response is not null or a.warnings is not null))
select max(delivery::text) as last from found`.execute(database);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    after = last;
  }
}
