import { sql } from 'kysely';
import { openConnections } from './connection.ts';

/** Updates of waiver rows that send nothing: what accepting an update is measured against. */
export interface BareWaiverUpdates {
  /** Writes the row's next version: one statement, one transaction, no message. */
  update(pool: string, id: string, currentPage: string | null): Promise<void>;
  close(): Promise<void>;
}

/** Opens connections of their own for bare updates. */
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
