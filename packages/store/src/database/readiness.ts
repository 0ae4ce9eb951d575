import { sql } from 'kysely';
import { type AppliedMigration, whyTooOld } from '../migrations/schema-migration.ts';
import type { ConnectionRenewal } from './connection-renewal.ts';
import type { Database } from './database.ts';
import { knownMigrations } from './migrate.ts';

/** Whether the database can be used; `reason` is a sentence, if known. */
export type StoreReadiness =
  | { readonly isReady: true }
  | { readonly isReady: false; readonly reason?: string };

const readinessTimeoutMs = 2_000;

const unavailable: StoreReadiness = { isReady: false };

interface Found {
  readonly writable: boolean;
  readonly migrations: readonly AppliedMigration[];
}

async function probe(database: Database, renewal: ConnectionRenewal): Promise<StoreReadiness> {
  const { rows } = await sql<Found>`
select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable,
  (select coalesce(json_agg(json_build_object('name', name, 'needs', needs) order by name), '[]') from migration) as migrations`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) return unavailable;
  if (!row.writable) {
    renewal.renew();
    return unavailable;
  }
  const applied = new Set(row.migrations.map(({ name }) => name));
  if (![...knownMigrations].every((name) => applied.has(name))) return unavailable;
  const reason = whyTooOld(row.migrations, knownMigrations);
  return reason === undefined ? { isReady: true } : { isReady: false, reason };
}

/**
 * A readiness check: whether the database answers within two seconds, has every migration, accepts writes, and was not
 * migrated beyond what this version can use. Concurrent checks share one query, so that a database that hangs holds one
 * connection, not all of them.
 */
export function createReadinessCheck(
  database: Database,
  renewal: ConnectionRenewal,
): () => Promise<StoreReadiness> {
  let probing: Promise<StoreReadiness> | undefined;
  return async () => {
    probing ??= probe(database, renewal)
      .catch(() => unavailable)
      .finally(() => {
        probing = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<StoreReadiness>((resolve) => {
      timer = setTimeout(resolve, readinessTimeoutMs, unavailable);
    });
    try {
      return await Promise.race([probing, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
