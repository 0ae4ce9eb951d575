import { sql } from 'kysely';
import { openConnections } from './connection.ts';

/** The baseline for accepting an update: updates of waiver rows that enqueue nothing. */
export interface BareWaiverUpdates {
  /** Writes the row's next version in one statement. */
  update(pool: string, id: string, currentPage: string | null): Promise<void>;
  close(): Promise<void>;
}

export function openBareWaiverUpdates(databaseUrl: string, maxConnections: number): BareWaiverUpdates {
  const database = openConnections(databaseUrl, maxConnections);
  return {
    async update(pool, id, currentPage) {
      const { numAffectedRows } = await sql`
update waiver set version = version + 1, current_page = ${currentPage},
  updated_at = date_trunc('milliseconds', clock_timestamp())
where pool = ${pool} and id = ${id}`.execute(database);
      if (numAffectedRows !== 1n) throw new Error(`no waiver ${id} in pool ${pool}`);
    },
    close: () => database.destroy(),
  };
}
