import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { alignChangeClock } from '../changes/change-clock.ts';
import { connect } from '../database/connect.ts';
import type { Tables } from '../database/database.ts';
import { migrations } from './migrations.ts';

const minPostgresVersion = 14;

/** This version of the service cannot use the database; the message says what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

export const newestMigration = Object.keys(migrations).sort().at(-1) ?? '';

/**
 * Runs the missing migrations in one transaction, forward only. A lock lets several hosts start at once.
 *
 * @throws UnsuitableDatabase if PostgreSQL is too old, or a newer version of the service has migrated the database
 */
export async function migrate(databaseUrl: string): Promise<void> {
  // Not the store's pool: a migration may take longer than its statement timeout.
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  try {
    await requireSupportedServer(database);
    await requireKnownMigrations(database);
    await runMigrations(database, migrations);
    await alignChangeClock(database);
  } finally {
    await database.destroy();
  }
}

/**
 * Runs those of the migrations that a database has not had, in its transaction or else in one of their own.
 *
 * @returns the names of those that ran
 */
export async function runMigrations(
  database: Kysely<Tables>,
  wanted: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...wanted }) },
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
    // One that was written earlier may be merged later than its successor: it is run then, as the others are.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * For what uses the database without migrating it.
 *
 * @throws UnsuitableDatabase unless it has exactly the migrations of this version
 */
export async function requireNewestMigration(database: Kysely<Tables>): Promise<void> {
  await requireKnownMigrations(database);
  const applied = await appliedMigrations(database);
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  throw new UnsuitableDatabase(
    applied.length === 0
      ? 'the database has no tables of the waiver service: is it the right one?'
      : `the database is that of an older version of the waiver service (it lacks ${missing.join(', ')}): start a host of this version first, which migrates it`,
  );
}

/** The migrations that a database has had, in the order of their names; none if it is not the waiver service's. */
export async function appliedMigrations(database: Kysely<Tables>): Promise<readonly string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migration') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/** @throws UnsuitableDatabase */
export async function requireSupportedServer(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(database);
  const version = rows[0]?.version ?? 'unknown';
  if (Number.parseInt(version, 10) >= minPostgresVersion) return;
  throw new UnsuitableDatabase(
    `PostgreSQL ${minPostgresVersion} or newer is needed, this server is ${version}`,
  );
}

/** @throws UnsuitableDatabase if a newer version of the service has migrated the database */
export async function requireKnownMigrations(database: Kysely<Tables>): Promise<void> {
  const unknown = (await appliedMigrations(database)).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new UnsuitableDatabase(
    `the database was made by a newer version of the waiver service (it has ${unknown.join(', ')}): start that version`,
  );
}
