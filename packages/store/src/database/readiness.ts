import { sql } from 'kysely';
import { newestMigration } from '../migrations/migrate.ts';
import type { ConnectionRenewal } from './connection-renewal.ts';
import type { Database } from './database.ts';

const readinessTimeoutMs = 2_000;

async function probe(database: Database, renewal: ConnectionRenewal): Promise<boolean> {
  const { rows } = await sql<{ migrated: boolean; writable: boolean }>`
select exists (select 1 from migration where name = ${newestMigration}) as migrated,
  not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`.execute(database);
  const [row] = rows;
  if (row?.writable === false) renewal.renew();
  return row?.migrated === true && row.writable;
}

/**
 * A readiness check: whether the database answers within two seconds, has every migration and accepts writes.
 * Concurrent checks share one query, so that a database that hangs holds one connection, not all of them.
 */
export function createReadinessCheck(database: Database, renewal: ConnectionRenewal): () => Promise<boolean> {
  let probing: Promise<boolean> | undefined;
  return async () => {
    probing ??= probe(database, renewal)
      .catch(() => false)
      .finally(() => {
        probing = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, readinessTimeoutMs, false);
    });
    try {
      return await Promise.race([probing, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
