import { sql } from 'kysely';
import type { StoreContext } from '../store-context.ts';

/** Prevents concurrent checks of an installation, across all hosts. */
export function createInstallationChecks({ database }: StoreContext) {
  return {
    /** Whether the check may begin, because none is running. @param maxMs - after this, the check counts as ended */
    async begin(pool: string, bookingSystem: string, maxMs: number): Promise<boolean> {
      const { rows } = await sql`
insert into installation_check as c (pool, booking_system, lease_until)
values (${pool}, ${bookingSystem}, now() + ${maxMs}::double precision * interval '1 millisecond')
on conflict (pool, booking_system) do update set lease_until = excluded.lease_until where c.lease_until < now()
returning 1`.execute(database);
      return rows.length === 1;
    },
    async end(pool: string, bookingSystem: string): Promise<void> {
      await database
        .deleteFrom('installationCheck')
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .execute();
    },
  };
}
