import { sql } from 'kysely';
import { migrations } from '../migrations/migrations.ts';
import { whyTooOld } from '../migrations/schema-migration.ts';
import { alignChangeClock } from './change-clock.ts';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { appliedMigrations, type MigrationWait, runMigrations } from './run-migrations.ts';
import { whyUnsuitableSession } from './session-settings.ts';

const minPostgresVersion = 14;
// When everything on a machine starts at once, as after a power failure, the database is slow to respond.
const connectTimeoutMs = 30_000;

/** This version of the service cannot use the database; the message says what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

/** The names of the migrations that this version has. */
export const knownMigrations: ReadonlySet<string> = new Set(Object.keys(migrations));

/**
 * Runs the missing migrations, forward only; several hosts may start at once. Ignores those of a newer version.
 *
 * @param onWait - called when a migration has to wait and is tried again
 * @throws UnsuitableDatabase if PostgreSQL is too old, behind a pooler that shares its sessions or has unsuitable
 *   settings, or this version is too old for the database
 */
export async function migrate(
  databaseUrl: string,
  onWait: (wait: MigrationWait) => void = () => {},
): Promise<void> {
  await requireSessions(databaseUrl);
  // Not the store's pool: a migration may take longer than its statement timeout.
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs,
    onConnectionError: () => {},
  });
  try {
    await requireSupportedServer(database);
    await requireSuitableSession(database);
    await requireCompatible(database);
    await runMigrations(database, { migrations, onWait });
    await alignChangeClock(database);
  } finally {
    await database.destroy();
  }
}

/**
 * For code that uses the database without migrating it.
 *
 * @throws UnsuitableDatabase unless it has exactly the migrations of this version, and suitable settings
 */
export async function requireNewestMigration(database: Database): Promise<void> {
  await requireSuitableSession(database);
  const applied = await requireKnownMigrations(database);
  const missing = [...knownMigrations].filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  throw new UnsuitableDatabase(
    applied.length === 0
      ? 'the database has no tables of the waiver service: is it the right one?'
      : `the database is that of an older version of the waiver service (it lacks ${missing.join(', ')}): start a host of this version first, which migrates it`,
  );
}

/** @throws UnsuitableDatabase */
export async function requireSupportedServer(database: Database): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(database);
  const problem = whyTooOldServer(rows[0]?.version ?? 'unknown');
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}

async function requireSuitableSession(database: Database): Promise<void> {
  const problem = await whyUnsuitableSession(database);
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}

/** @param version - as the server states it, such as `17.2 (Debian 17.2-1)` */
export function whyTooOldServer(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= minPostgresVersion) return undefined;
  return `PostgreSQL ${minPostgresVersion} or newer is needed, this server is ${version}: upgrade it, or use another one`;
}

const readBackend = async (connection: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid;

/**
 * Detects a pooler in transaction mode: two connections share a session of the server, or one changes sessions between
 * queries. Advisory locks, settings, prepared statements and LISTEN belong to a session.
 */
async function requireSessions(databaseUrl: string): Promise<void> {
  const database = connect({
    databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 0,
    connectTimeoutMs,
    onConnectionError: () => {},
  });
  try {
    await database.connection().execute((one) =>
      database.connection().execute(async (other) => {
        const first = await readBackend(one);
        // Twice in a row: a pooler that rotates its sessions gives another one at once.
        if (first === (await readBackend(one)) && first !== (await readBackend(other))) return;
        throw new UnsuitableDatabase(
          'a connection pooler hands out transactions there (pool_mode = transaction), and the service needs sessions: use the address of PostgreSQL itself, or a pool with pool_mode = session',
        );
      }),
    );
  } finally {
    await database.destroy();
  }
}

/**
 * @returns the names of the migrations that a database has had; none if it is not the waiver service's
 * @throws UnsuitableDatabase if a newer version of the service has migrated the database
 */
async function requireKnownMigrations(database: Database): Promise<readonly string[]> {
  const applied = (await appliedMigrations(database)).map(({ name }) => name);
  const unknown = applied.filter((name) => !knownMigrations.has(name));
  if (unknown.length === 0) return applied;
  throw new UnsuitableDatabase(
    `the database was migrated by a newer version of the waiver service (it has ${unknown.join(', ')}): use that version`,
  );
}

async function requireCompatible(database: Database): Promise<void> {
  const problem = whyTooOld(await appliedMigrations(database), knownMigrations);
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}
