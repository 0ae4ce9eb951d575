import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { DatabaseError } from 'pg';
import type { Database, Tables } from '../database/database.ts';
import { changesMovingPools } from '../moves/moving-pools.ts';
import type { AppliedMigration, IndexMigration, SchemaMigration } from './schema-migration.ts';

/** A migration waits, and is tried again for as long as it takes. */
export interface MigrationWait {
  readonly migration: string;
  /** Whether it waits for a lock of a table, or for one who {@link holdOffMigrations holds it off}. */
  readonly waitsFor: 'backup' | 'lock';
  readonly attempts: number;
}

export interface RunMigrationsOptions {
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
  readonly onWait: (wait: MigrationWait) => void;
}

// Kysely's migrator, which former versions run, takes the same one.
const lockId = '3853314791062309107';
// Migrations take it alone, those who hold them off share it.
const holdOffLockId = '3853314791062309108';
const lockPollMs = 100;

// Limits that an operator has set for the role or the database are meant for requests: building an index takes longer.
const withoutLimits = sql`select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

// Whoever waits for a table's lock keeps everyone behind it waiting too, readers and writers.
const lockTimeout = '2s';
const firstPauseMs = 500;
const maxPauseMs = 30_000;
const mayPass = new Set(['55P03', '40P01']);

/**
 * Runs the missing migrations in the order of their names, each in a transaction of its own, so that an interrupted run
 * goes on where it was. Hosts that start at once take turns. A migration that does not get a lock
 * within two seconds lets the others pass, and is tried again after a pause, however often: a host that gave up would be
 * started again, to the same end.
 */
export async function runMigrations(
  database: Database,
  { migrations, onWait }: RunMigrationsOptions,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    const wait = await withLock(database, async (connection) => {
      await prepareTable(connection);
      const missing = await missingMigrations(connection, migrations);
      const [first] = missing;
      if (first === undefined) return undefined;
      if (!(await tryLock(connection, holdOffLockId)))
        return { migration: first[0], waitsFor: 'backup' } as const;
      try {
        return await applyAll(connection, missing);
      } finally {
        await unlock(connection, holdOffLockId);
      }
    });
    if (wait === undefined) return;
    onWait({ ...wait, attempts });
    await delay(Math.min(firstPauseMs * attempts, maxPauseMs));
  }
}

/** @returns what it waits for; `undefined` when all are done */
async function applyAll(
  connection: Database,
  missing: readonly (readonly [string, SchemaMigration])[],
): Promise<Omit<MigrationWait, 'attempts'> | undefined> {
  for (const [name, migration] of missing) {
    try {
      await apply(connection, name, migration);
    } catch (error) {
      if (!(error instanceof DatabaseError && mayPass.has(error.code ?? ''))) throw error;
      return { migration: name, waitsFor: 'lock' };
    }
  }
  return undefined;
}

/**
 * Holds migrations off until the connection ends, and waits for those that are running. For one who reads many tables in a
 * long transaction: a migration would wait for its locks again and again, each time with everyone else behind it.
 */
export async function holdOffMigrations(connection: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock_shared(${sql.lit(holdOffLockId)}::bigint) as taken`.execute(connection);
    if (rows[0]?.taken === true) return;
    await delay(lockPollMs);
  }
}

/**
 * Runs those of the migrations that a database has not had, all in one transaction: for a database that nobody uses.
 *
 * @returns the names of those that ran
 */
export async function runMigrationsAtOnce(
  transaction: Transaction<Tables>,
  migrations: Readonly<Record<string, SchemaMigration>>,
): Promise<readonly string[]> {
  await sql`select pg_advisory_xact_lock(${sql.lit(lockId)}::bigint)`.execute(transaction);
  await prepareTable(transaction);
  const missing = await missingMigrations(transaction, migrations);
  for (const [name, migration] of missing) {
    if ('index' in migration) await createIndex(transaction, migration);
    else await migration.up(transaction);
    await record(transaction, name, migration);
  }
  return missing.map(([name]) => name);
}

/** Every migration that the database has; none where it has no table of them. */
export async function appliedMigrations(database: Database): Promise<AppliedMigration[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migration') is not null as exists`.execute(database);
  if (found[0]?.exists !== true) return [];
  // Former versions made the table without the column.
  const { rows } = await sql<AppliedMigration>`
    select name, to_jsonb(migration) ->> 'needs' as needs from migration order by name`.execute(database);
  return rows;
}

/**
 * Holds the lock on one connection while it works. Polls for it instead of waiting in a statement: building an index concurrently waits for every statement that
 * is running, and would wait for those that wait for it.
 */
async function withLock<Result>(
  database: Database,
  work: (connection: Database) => Promise<Result>,
): Promise<Result> {
  return database.connection().execute(async (connection) => {
    for (;;) {
      if (await tryLock(connection, lockId)) break;
      await delay(lockPollMs);
    }
    try {
      await withoutLimits.execute(connection);
      return await work(connection);
    } finally {
      await unlock(connection, lockId);
    }
  });
}

async function tryLock(connection: Database, id: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${sql.lit(id)}::bigint) as taken`.execute(connection);
  return rows[0]?.taken === true;
}

const unlock = (connection: Database, id: string) =>
  sql`select pg_advisory_unlock(${sql.lit(id)}::bigint)`.execute(connection);

async function prepareTable(database: Database): Promise<void> {
  await sql`create table if not exists migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(database);
  const { rows } = await sql`
    select from pg_attribute
    where attrelid = 'migration'::regclass and attname = 'needs' and not attisdropped`.execute(database);
  if (rows.length === 0) await sql`alter table migration add column needs text`.execute(database);
}

/** In the order of their names. One may have been merged later than its successor; it runs as the others do. */
async function missingMigrations(
  database: Database,
  migrations: Readonly<Record<string, SchemaMigration>>,
): Promise<readonly [string, SchemaMigration][]> {
  const applied = new Set((await appliedMigrations(database)).map(({ name }) => name));
  return Object.entries(migrations)
    .filter(([name]) => !applied.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function record(database: Database, name: string, { needs = '' }: SchemaMigration): Promise<void> {
  await sql`insert into migration (name, timestamp, needs)
    values (${name}, ${new Date().toISOString()}, ${needs})`.execute(database);
}

async function apply(database: Database, name: string, migration: SchemaMigration): Promise<void> {
  if ('index' in migration) {
    await buildIndex(database, migration);
    await record(database, name, migration);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction);
    // A move that was killed must not keep hosts from starting.
    await changesMovingPools.execute(transaction);
    await migration.up(transaction);
    await record(transaction, name, migration);
  });
}

async function buildIndex(database: Database, migration: IndexMigration): Promise<void> {
  const { name } = migration.index;
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(database);
  if (rows[0]?.valid === true) return;
  // Left behind by a build that was interrupted.
  if (rows.length > 0) await sql`drop index concurrently ${sql.ref(name)}`.execute(database);
  await createIndex(database, migration, sql`concurrently`);
}

async function createIndex(
  database: Database,
  { index }: IndexMigration,
  manner: RawBuilder<unknown> = sql``,
): Promise<void> {
  await sql`create index ${manner} ${sql.ref(index.name)} on ${sql.raw(index.on)}`.execute(database);
}
