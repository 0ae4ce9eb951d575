import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { alignChangeClock } from '../changes/change-clock.ts';
import { connect } from '../database/connect.ts';
import type { Tables } from '../database/database.ts';
import { migrations } from './migrations.ts';

/** The oldest PostgreSQL that serves. */
const oldestMajorVersion = 14;

/** The database cannot be used by this program; the message says what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

/** The name of the newest migration that this program knows. */
export const newestMigration = Object.keys(migrations).sort().at(-1) ?? '';

/**
 * Brings the database up to date: forward only, all that is missing in one transaction, under a lock, so that two
 * hosts may start at once.
 *
 * @throws UnsuitableDatabase where PostgreSQL is too old, or the database was made by a newer program.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  // A connection of its own: a migration may take longer than any statement of the service may.
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  try {
    await refuseOldServer(database);
    await refuseNewerDatabase(database);
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: 'migration',
      migrationLockTableName: 'migration_lock',
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    await alignChangeClock(database);
  } finally {
    await database.destroy();
  }
}

async function refuseOldServer(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(database);
  const version = rows[0]?.version ?? 'unknown';
  if (Number.parseInt(version, 10) >= oldestMajorVersion) return;
  throw new UnsuitableDatabase(
    `PostgreSQL ${oldestMajorVersion} or newer is needed, this server is ${version}`,
  );
}

async function refuseNewerDatabase(database: Kysely<Tables>): Promise<void> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migration') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return;
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(database);
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new UnsuitableDatabase(
    `the database was made by a newer version of the waiver service (it has ${unknown.join(', ')}): start that version`,
  );
}
