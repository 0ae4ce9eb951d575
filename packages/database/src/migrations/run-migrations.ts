import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { Database, Queryable } from '../connections/database.ts';
import type {
  AppliedMigration,
  IndexMigration,
  SchemaMigration,
  TableMigration,
} from './schema-migration.ts';

/** A migration that has to wait; it is retried until it succeeds. */
export interface MigrationWait {
  readonly migration: string;
  /** `lock`: of a table. `turn`: another host is migrating, or migrations are {@link holdOffMigrations held off}. */
  readonly waitsFor: 'turn' | 'lock';
  readonly attempts: number;
}

export interface RunMigrationsOptions {
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
  readonly onWait: (wait: MigrationWait) => void;
}

// Exclusive for the host that migrates; shared by those that hold migrations off.
const lockId = sql`3853314791062309107::bigint`;
const lockPollMs = 100;

// A statement that waits for a table's lock blocks all readers and writers behind it.
const lockTimeout = '2s';
const firstPauseMs = 500;
const maxPauseMs = 30_000;
const mayPass = new Set(['55P03', '40P01']);

/**
 * Runs the missing migrations in the order of their names, each in its own transaction, so that an interrupted run
 * resumes where it stopped. Hosts that start together take turns; one that has nothing to migrate does not wait. A
 * migration that does not get a lock within two seconds lets the statements behind it pass, and is retried after a pause,
 * without limit: a host that gave up would only be restarted.
 */
export async function runMigrations<Tables>(
  database: Database<Tables>,
  { migrations, onWait }: RunMigrationsOptions,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    const wait = await database.connection().execute((connection) => attempt(connection, migrations));
    if (wait === undefined) return;
    onWait({ ...wait, attempts });
    await delay(Math.min(firstPauseMs * attempts, maxPauseMs));
  }
}

/** @returns the first migration that waits; `undefined` when all are done */
async function attempt<Tables>(
  connection: Database<Tables>,
  migrations: RunMigrationsOptions['migrations'],
): Promise<Omit<MigrationWait, 'attempts'> | undefined> {
  const [first] = await missingMigrations(connection, migrations);
  if (first === undefined) return undefined;
  // Polls, because a concurrent index build would wait for a statement that waits for the lock.
  if (!(await tryLock(connection, sql`pg_try_advisory_lock`)))
    return { migration: first[0], waitsFor: 'turn' };
  try {
    await prepareTable(connection);
    for (const [name, migration] of await missingMigrations(connection, migrations)) {
      try {
        await apply(connection, name, migration);
      } catch (error) {
        if (!(error instanceof DatabaseError && mayPass.has(error.code ?? ''))) throw error;
        return { migration: name, waitsFor: 'lock' };
      }
    }
    return undefined;
  } finally {
    await sql`select pg_advisory_unlock(${lockId})`.execute(connection);
  }
}

async function tryLock(connection: Queryable, take: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select ${take}(${lockId}) as taken`.execute(connection);
  return rows[0]?.taken === true;
}

/**
 * Holds migrations off until the connection ends, after waiting for running ones. For long transactions that read many
 * tables: a migration would wait for their locks again and again, each time blocking everyone else.
 */
export async function holdOffMigrations(connection: Queryable): Promise<void> {
  while (!(await tryLock(connection, sql`pg_try_advisory_lock_shared`))) await delay(lockPollMs);
}

/**
 * Runs the missing migrations in one transaction: for a database that is not in use.
 *
 * @returns the names of those that ran
 */
export async function runMigrationsAtOnce(
  transaction: Queryable,
  migrations: Readonly<Record<string, SchemaMigration>>,
): Promise<readonly string[]> {
  await sql`select pg_advisory_xact_lock(${lockId})`.execute(transaction);
  await prepareTable(transaction);
  const missing = await missingMigrations(transaction, migrations);
  for (const [name, migration] of missing) {
    if ('index' in migration) await createIndex(transaction, migration);
    else await execute(transaction, migration);
    await record(transaction, name, migration);
  }
  return missing.map(([name]) => name);
}

/** The migrations that the database has; none if it has no table of them. */
export async function appliedMigrations(database: Queryable): Promise<AppliedMigration[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migration') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return [];
  const { rows } = await sql<AppliedMigration>`select name, needs from migration order by name`.execute(
    database,
  );
  return rows;
}

async function prepareTable(database: Queryable): Promise<void> {
  await sql`create table if not exists migration (
    name text collate "C" primary key, applied_at timestamptz not null default now(), needs text not null)`.execute(
    database,
  );
}

/** In the order of their names. Includes a migration that was merged after its successor had run. */
async function missingMigrations(
  database: Queryable,
  migrations: Readonly<Record<string, SchemaMigration>>,
): Promise<readonly [string, SchemaMigration][]> {
  const applied = new Set((await appliedMigrations(database)).map(({ name }) => name));
  return Object.entries(migrations)
    .filter(([name]) => !applied.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function record(database: Queryable, name: string, { needs = '' }: SchemaMigration): Promise<void> {
  await sql`insert into migration (name, needs) values (${name}, ${needs})`.execute(database);
}

async function execute(transaction: Queryable, { statements }: TableMigration): Promise<void> {
  await sql`select set_config('search_path', quote_ident(current_schema()), true)`.execute(transaction);
  for (const each of statements) await sql.raw(each).execute(transaction);
}

async function apply<Tables>(
  database: Database<Tables>,
  name: string,
  migration: SchemaMigration,
): Promise<void> {
  if ('index' in migration) {
    await buildIndex(database, migration);
    await record(database, name, migration);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction);
    await execute(transaction, migration);
    await record(transaction, name, migration);
  });
}

async function buildIndex<Tables>(database: Database<Tables>, migration: IndexMigration): Promise<void> {
  const { name } = migration.index;
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(database);
  if (rows[0]?.valid === true) return;
  // Left behind by a build that was interrupted.
  if (rows.length > 0) await sql`drop index concurrently ${sql.ref(name)}`.execute(database);
  await createIndex(database, migration, sql`concurrently`);
}

async function createIndex(
  database: Queryable,
  { index }: IndexMigration,
  manner: RawBuilder<unknown> = sql``,
): Promise<void> {
  await sql`create index ${manner} ${sql.ref(index.name)} on ${sql.raw(index.on)}`.execute(database);
}
