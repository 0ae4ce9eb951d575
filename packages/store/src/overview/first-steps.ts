import type { FirstSteps } from '@waiver-service/api';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** How far a service has been set up, judged by what exists. */
export async function readFirstSteps(database: Database): Promise<FirstSteps> {
  // Later parts of a condition are evaluated only if earlier ones find nothing, as in a service that is hardly used.
  const { rows } = await sql<FirstSteps>`
select
  exists (select from installation) or exists (select from booking_system) or exists (select from install_key)
    as booking_system,
  exists (select from pool) as pool,
  exists (select from installation where status = 'installed') as installation,
  exists (select from waiver) or exists (select from cached_booking)
    or exists (select from audit_entry where action = 'booking.read' and status = 200) as booking`.execute(
    database,
  );
  const [steps] = rows;
  if (steps === undefined) throw new Error('a query without a source has one row');
  return steps;
}
