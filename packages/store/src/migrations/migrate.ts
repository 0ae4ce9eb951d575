import { type Kysely, sql } from 'kysely';
import { alignChangeClock } from '../changes/change-clock.ts';
import { connect } from '../database/connect.ts';
import type { Tables } from '../database/database.ts';
import { migrations } from './migrations.ts';
import { appliedMigrations, type MigrationWait, runMigrations } from './run-migrations.ts';
import { whyTooOld } from './schema-migration.ts';

const minPostgresVersion = 14;

/** This version of the service cannot use the database; the message says what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

/** The names of the migrations that this version has. */
export const knownMigrations: ReadonlySet<string> = new Set(Object.keys(migrations));

/**
 * Runs the missing migrations, forward only; several hosts may start at once. Those of a newer version stay as they are.
 *
 * @param onWait - called when a migration has to wait and is tried again
 * @throws UnsuitableDatabase if PostgreSQL is too old, or this version for the database
 */
export async function migrate(
  databaseUrl: string,
  onWait: (wait: MigrationWait) => void = () => {},
): Promise<void> {
  // Not the store's pool: a migration may take longer than its statement timeout.
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  try {
    await requireSupportedServer(database);
    await requireCompatible(database);
    await runMigrations(database, { migrations, onWait });
    await alignChangeClock(database);
  } finally {
    await database.destroy();
  }
}

/**
 * For what uses the database without migrating it.
 *
 * @throws UnsuitableDatabase unless it has exactly the migrations of this version
 */
export async function requireNewestMigration(database: Kysely<Tables>): Promise<void> {
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

/**
 * @returns the names of the migrations that a database has had; none if it is not the waiver service's
 * @throws UnsuitableDatabase if a newer version of the service has migrated the database
 */
export async function requireKnownMigrations(database: Kysely<Tables>): Promise<readonly string[]> {
  const applied = (await appliedMigrations(database)).map(({ name }) => name);
  const unknown = applied.filter((name) => !knownMigrations.has(name));
  if (unknown.length === 0) return applied;
  throw new UnsuitableDatabase(
    `the database was migrated by a newer version of the waiver service (it has ${unknown.join(', ')}): use that version`,
  );
}

async function requireCompatible(database: Kysely<Tables>): Promise<void> {
  const problem = whyTooOld(await appliedMigrations(database), knownMigrations);
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}
