import { Pool } from 'pg';

/** The baseline for accepting an update: updates of waiver rows that enqueue nothing. */
export interface BareWaiverUpdates {
  /** Writes the row's next version in one statement. */
  update(pool: string, id: string, currentPage: string | null): Promise<void>;
  close(): Promise<void>;
}

const nextVersion = `
  update waiver set version = version + 1, current_page = $3,
    updated_at = date_trunc('milliseconds', clock_timestamp())
  where pool = $1 and id = $2`;

/** Opens a separate connection pool for bare updates. */
export function openBareWaiverUpdates(databaseUrl: string, maxConnections: number): BareWaiverUpdates {
  const connections = new Pool({ connectionString: databaseUrl, max: maxConnections });
  return {
    async update(pool, id, currentPage) {
      const { rowCount } = await connections.query(nextVersion, [pool, id, currentPage]);
      if (rowCount !== 1) throw new Error(`no waiver ${id} in pool ${pool}`);
    },
    close: () => connections.end(),
  };
}
