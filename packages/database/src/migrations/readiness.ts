import { sql } from 'kysely';
import type { ConnectionRenewal } from '../connections/connection-renewal.ts';
import type { Database } from '../connections/database.ts';
import { type AppliedMigration, whyTooOld } from './schema-migration.ts';

/** Whether the database can be used; `reason` is a whole sentence, if known. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly reason?: string };

const readinessTimeoutMs = 2_000;
// How long a successful write counts.
const writableForMs = 5_000;

const unavailable: Readiness = { isReady: false };

interface Found {
  readonly writable: boolean;
  readonly migrations: readonly AppliedMigration[];
}

const configurationLimitExceeded = '53400';

/**
 * Why nothing can be written; `undefined` if it can. Fills a temporary file, which needs room on the disk, and commits an
 * empty message of the log, which needs room there and, where one is configured, the synchronous standby. Leaves nothing
 * in any table.
 */
async function whyUnwritable<Tables>(database: Database<Tables>): Promise<string | undefined> {
  try {
    await database.transaction().execute(async (transaction) => {
      // The smallest memory, in which these rows have no room.
      await sql`set local work_mem = '64kB'; set local temp_tablespaces = ''`.execute(transaction);
      await sql`select count(*) from generate_series(1, 4000)`.execute(transaction);
      await sql`select pg_logical_emit_message(true, 'waiver_service', '')`.execute(transaction);
    });
    return undefined;
  } catch (error) {
    // An operator's limit of temporary files is none of the disk.
    if (error instanceof Error && 'code' in error && error.code === configurationLimitExceeded)
      return undefined;
    return `The database cannot write (${error instanceof Error ? error.message : String(error)}): is its disk full?`;
  }
}

async function probe<Tables>(
  database: Database<Tables>,
  renewal: ConnectionRenewal,
  knownMigrations: ReadonlySet<string>,
  checkWrite: () => Promise<string | undefined>,
): Promise<Readiness> {
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
  if (reason !== undefined) return { isReady: false, reason: `This host is too old: ${reason}.` };
  const unwritable = await checkWrite();
  return unwritable === undefined ? { isReady: true } : { isReady: false, reason: unwritable };
}

/**
 * A readiness check: whether the database answers within two seconds, has every migration, accepts writes, has room for
 * them, and was not migrated beyond what this version can use. Concurrent checks share one query, so that a database that
 * hangs holds one connection, not all of them. A write is tried every five seconds at most, while it succeeds.
 */
export function createReadinessCheck<Tables>(
  database: Database<Tables>,
  renewal: ConnectionRenewal,
  knownMigrations: ReadonlySet<string>,
): () => Promise<Readiness> {
  let probing: Promise<Readiness> | undefined;
  let writableUntil = Number.NEGATIVE_INFINITY;
  const checkWrite = async () => {
    if (performance.now() < writableUntil) return undefined;
    const problem = await whyUnwritable(database);
    if (problem === undefined) writableUntil = performance.now() + writableForMs;
    return problem;
  };
  return async () => {
    probing ??= probe(database, renewal, knownMigrations, checkWrite)
      .catch(() => unavailable)
      .finally(() => {
        probing = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Readiness>((resolve) => {
      timer = setTimeout(resolve, readinessTimeoutMs, unavailable);
    });
    try {
      return await Promise.race([probing, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
