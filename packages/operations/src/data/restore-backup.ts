import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  countKeyUses,
  type KeyUse,
  requireSupportedServer,
  runMigrationsAtOnce,
  type Schema,
} from '@waiver-service/database';
import type { Database, FeatureData, Tables } from '@waiver-service/store/features';
import { allEncryptedColumns, forgetChangeClock, schemaOf } from '@waiver-service/store/features';
import { type ControlledTransaction, sql } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import { BackupProblem, fileProblem, unseal } from './sealed-file.ts';
import { asRestrictedRole, onSingleConnection, type SingleConnection } from './single-connection.ts';
import {
  type BackupOptions,
  type BackupProgress,
  type BackupTable,
  copied,
  listTables,
  type Manifest,
  manifestSchema,
} from './write-backup.ts';

export interface RestoredBackup {
  readonly takenAt: Date;
  readonly tables: number;
  readonly rows: number;
  /** The PostgreSQL version that the backup was taken from. */
  readonly postgres: string;
  /** The migrations that the backup lacked. */
  readonly migrated: readonly string[];
  /** Tables that are not the service's, which were not restored. */
  readonly leftOut: readonly string[];
  /** Messages that will be sent once a host starts. */
  readonly pending: number;
  /** Of the restored secrets. */
  readonly keyUses: readonly KeyUse[];
}

type Chunks = AsyncGenerator<Buffer>;
type Transaction = ControlledTransaction<Tables>;

/** A table's chunks, up to the empty one that ends them. */
async function* rowsOfTable(chunks: Chunks, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) throw new BackupProblem('the backup lacks a table: use another one');
    if (value.length === 0) return;
    onBytes(value.length);
    yield value;
  }
}

async function requireEmpty(database: Database): Promise<void> {
  const names = (await listTables(database)).map(({ name }) => name);
  if (names.length === 0) return;
  throw new BackupProblem(
    `the database is not empty (it has ${names.join(', ')}): restore into a new one, and start no host on it before`,
  );
}

/** Creates the tables as they were when the backup was taken. */
async function createTables(
  transaction: Transaction,
  manifest: Manifest,
  migrations: Schema<Tables>['migrations'],
): Promise<void> {
  const unknown = manifest.migrations.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new BackupProblem(
      `the backup is of a newer version of the waiver service (it has ${unknown.map((name) => JSON.stringify(name)).join(', ')}): restore it with that version`,
    );
  }
  const wanted = Object.entries(migrations).filter(([name]) => manifest.migrations.includes(name));
  const ran = await runMigrationsAtOnce(transaction, Object.fromEntries(wanted));
  // The database was found empty before the migrations' lock was taken.
  if (ran.length !== wanted.length)
    throw new BackupProblem('a host was started on the database meanwhile: restore into a new one');
}

/** The manifest becomes part of statements: it may name each table once, and only columns that the table has. */
function requireKnownColumns(
  tables: readonly BackupTable[],
  own: ReadonlyMap<string, readonly string[]>,
): void {
  const names = new Set<string>();
  for (const { name, columns } of tables) {
    const known = own.get(name) ?? columns;
    const unknown = columns.filter((column) => !known.includes(column));
    if (names.has(name) || unknown.length > 0 || new Set(columns).size < columns.length)
      throw new BackupProblem(
        `the backup describes the table ${JSON.stringify(name)} otherwise than this service has it${unknown.length > 0 ? ` (${unknown.map((column) => JSON.stringify(column)).join(', ')})` : ''}: use another one`,
      );
    names.add(name);
  }
}

const setTriggers = (state: 'enable' | 'disable', name: string) =>
  sql`alter table ${sql.table(name)} ${sql.raw(state)} trigger user`;

/** @returns the number of rows, and the skipped tables, which are not the service's: others may use the same schema */
async function loadTables(
  { client }: SingleConnection,
  transaction: Transaction,
  { tables }: Manifest,
  chunks: Chunks,
  onProgress: (progress: BackupProgress) => void,
) {
  const own = new Map((await listTables(transaction)).map(({ name, columns }) => [name, columns]));
  requireKnownColumns(tables, own);
  const created = [...own.keys()];
  // Triggers, and rows that migrations insert, would add to the backup's rows.
  for (const name of created) await setTriggers('disable', name).execute(transaction);
  for (const name of created.toReversed()) await sql`delete from ${sql.table(name)}`.execute(transaction);
  let rows = 0;
  let bytes = 0;
  for (const [index, table] of tables.entries()) {
    const content = rowsOfTable(chunks, (more) => {
      bytes += more;
      onProgress({ table: table.name, number: index + 1, tables: tables.length, bytes });
    });
    if (created.includes(table.name)) {
      const copy = client.query(copyFrom(`copy ${copied(table)} from stdin`));
      await pipeline(content, copy);
      rows += copy.rowCount;
    } else for await (const _ of content);
  }
  if ((await chunks.next()).done !== true)
    throw new BackupProblem('the backup has more in it than its tables: use another one');
  for (const name of created) await setTriggers('enable', name).execute(transaction);
  return { rows, leftOut: tables.map(({ name }) => name).filter((name) => !created.includes(name)) };
}

// They may have ended since the backup.
async function forgetSignIns(transaction: Transaction, features: readonly FeatureData[]): Promise<void> {
  for (const table of ['authorization_request', ...features.flatMap(({ notRestored = [] }) => notRestored)])
    await sql`delete from ${sql.table(table)}`.execute(transaction);
}

async function restore(
  connection: SingleConnection,
  file: FileHandle,
  { encryptionKeys, features, signal, onProgress = () => {} }: BackupOptions,
): Promise<RestoredBackup> {
  const { database, client } = connection;
  await requireSupportedServer(database);
  await requireEmpty(database);
  const chunks = unseal(file, encryptionKeys);
  const manifest = manifestSchema.parse(JSON.parse(String((await chunks.next()).value)));
  const transaction = await database.startTransaction().execute();
  const { migrations } = schemaOf(features);
  await createTables(transaction, manifest, migrations);
  const { rows, leftOut } = await loadTables(connection, transaction, manifest, chunks, (progress) => {
    signal?.throwIfAborted();
    onProgress(progress);
  });
  await sql`
select setval(c.oid, s.value) from json_to_recordset(${JSON.stringify(manifest.sequences)}) s (name text, value bigint)
join pg_class c on c.relname = s.name and c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace`.execute(
    transaction,
  );
  await forgetChangeClock(transaction);
  await forgetSignIns(transaction, features);
  const migrated = await runMigrationsAtOnce(transaction, migrations);
  const waiting = await sql<{ pending: number }>`select count(*)::integer as pending from pending`.execute(
    transaction,
  );
  const keyUses = await countKeyUses(transaction, allEncryptedColumns(features));
  await transaction.commit().execute();
  // Without this, the planner has no statistics of the tables.
  await client.query('analyze');
  const { postgres, tables } = manifest;
  const takenAt = new Date(manifest.takenAt);
  return {
    takenAt,
    tables: tables.length,
    rows,
    postgres,
    migrated,
    leftOut,
    pending: waiting.rows[0]?.pending ?? 0,
    keyUses,
  };
}

/**
 * Loads a backup into an empty database, in one transaction: all of it or nothing. The tables are created as they were,
 * loaded, and then migrated to this version.
 *
 * @throws BackupProblem, UnsuitableDatabase
 */
export async function restoreBackup(options: BackupOptions): Promise<RestoredBackup> {
  let file: FileHandle | undefined;
  try {
    const opened = await open(options.file);
    file = opened;
    return await asRestrictedRole(options.databaseUrl, (databaseUrl) =>
      onSingleConnection(databaseUrl, (connection) => restore(connection, opened, options)),
    );
  } catch (error) {
    throw fileProblem(error, resolve(options.file));
  } finally {
    await file?.close();
  }
}
