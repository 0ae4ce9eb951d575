import { sql } from 'kysely';
import { newestMigration } from '../migrations/migrate.ts';
import type { ConnectionRenewal } from './connection-renewal.ts';
import type { Database } from './database.ts';

const readyWithinMs = 2_000;

async function askDatabase(database: Database, renewal: ConnectionRenewal): Promise<boolean> {
  const { rows } = await sql<{ migrated: boolean; writable: boolean }>`
select exists (select 1 from migration where name = ${newestMigration}) as migrated,
  not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`.execute(database);
  const [row] = rows;
  if (row?.writable === false) renewal.renew();
  return row?.migrated === true && row.writable;
}

/**
 * Says whether the database answers within two seconds, has every migration and takes writes. One question at a time is
 * under way, however many ask: one that hangs takes no second connection.
 */
export function watchReadiness(database: Database, renewal: ConnectionRenewal): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return async () => {
    asking ??= askDatabase(database, renewal)
      .catch(() => false)
      .finally(() => {
        asking = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, readyWithinMs, false);
    });
    try {
      return await Promise.race([asking, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
