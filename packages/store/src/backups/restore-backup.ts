import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ControlledTransaction, sql } from 'kysely';
import type { Client } from 'pg';
import { forgetChangeClock } from '../changes/change-clock.ts';
import type { Tables } from '../database/database.ts';
import type { EncryptionKey } from '../encryption/encryption.ts';
import { countKeyUses, type KeyUse } from '../encryption/rotate-keys.ts';
import { requireSupportedServer } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { runMigrationsAtOnce } from '../migrations/run-migrations.ts';
import { BackupProblem, fileProblem } from './backup-problem.ts';
import { listSequences, listTables, requireEmptySchema } from './catalog.ts';
import { checksumOf, loadTable, type TableContent } from './copy-table.ts';
import { type BackupManifest, type BackupRecord, type BackupTable, decodeRecords } from './records.ts';
import { unseal } from './sealed-file.ts';
import { onSingleConnection, type SingleConnection } from './single-connection.ts';
import type { BackupProgress } from './write-backup.ts';

export interface RestoreBackupOptions {
  /** An empty database. */
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly file: string;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Called before anything is written; throws where there is no room for as much. */
  readonly requireRoom?: (databaseBytes: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface RestoredBackup {
  readonly takenAt: Date;
  readonly tables: number;
  readonly rows: number;
  /** The version of PostgreSQL that the backup is of. */
  readonly postgres: string;
  /** The migrations that the backup had not had. */
  readonly migrated: readonly string[];
  /** Tables of others that were in the same schema. */
  readonly leftOut: readonly string[];
  /** Messages that the next start goes on to send. */
  readonly pending: number;
  /** Of the restored secrets. */
  readonly keyUses: readonly KeyUse[];
}

type Transaction = ControlledTransaction<Tables>;

/** Reads the records one after the other. */
class BackupReader {
  readonly #records: AsyncGenerator<BackupRecord | Buffer>;
  constructor(records: AsyncGenerator<BackupRecord | Buffer>) {
    this.#records = records;
  }

  async next<Kind extends BackupRecord['kind']>(kind: Kind): Promise<Extract<BackupRecord, { kind: Kind }>> {
    const { value } = await this.#records.next();
    return expectRecord(value, kind);
  }

  /** The rows of a table; `onEnd` is called with the record after them. */
  async *rows(onEnd: (end: TableContent) => void): AsyncGenerator<Buffer> {
    for (;;) {
      const { value } = await this.#records.next();
      if (!Buffer.isBuffer(value)) return onEnd(expectRecord(value, 'end-of-table'));
      yield value;
    }
  }
}

const isOfKind = <Kind extends BackupRecord['kind']>(
  record: BackupRecord,
  kind: Kind,
): record is Extract<BackupRecord, { kind: Kind }> => record.kind === kind;

function expectRecord<Kind extends BackupRecord['kind']>(
  record: BackupRecord | Buffer | undefined,
  kind: Kind,
): Extract<BackupRecord, { kind: Kind }> {
  if (record !== undefined && !Buffer.isBuffer(record) && isOfKind(record, kind)) return record;
  throw new BackupProblem('the content of the backup is not what the waiver service writes');
}

/** Creates the tables as they were when the backup was taken. */
async function createTables(transaction: Transaction, manifest: BackupManifest): Promise<void> {
  const unknown = manifest.migrations.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new BackupProblem(
      `the backup is of a newer version of the waiver service (it has ${unknown.join(', ')}): restore it with that version`,
    );
  }
  const names = new Set(manifest.migrations);
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.has(name)));
  const ran = await runMigrationsAtOnce(transaction, wanted);
  // The emptiness was checked before the lock of the migrations was taken.
  if (ran.length !== names.size)
    throw new BackupProblem('a host was started on the database meanwhile: restore into a new one');
}

const setTriggers = (state: 'enable' | 'disable', name: string) =>
  sql`alter table ${sql.table(name)} ${sql.raw(state)} trigger user`;

/** Removes the rows that the migrations have inserted, and keeps triggers from adding any. */
async function emptyTables(transaction: Transaction, tables: readonly BackupTable[]): Promise<void> {
  for (const { name } of tables) await setTriggers('disable', name).execute(transaction);
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(transaction);
}

function requireSame(table: string, found: TableContent, expected: TableContent): void {
  if (found.rows === expected.rows && found.sha256 === expected.sha256) return;
  throw new BackupProblem(
    `the table ${table} did not come out of the database as it went in (${found.rows} rows of ${expected.rows}): nothing was restored`,
  );
}

interface LoadedTables {
  readonly rows: number;
  readonly leftOut: readonly string[];
}

/** Loads a table, or passes over it if the waiver service has no such table: others may use the same schema. */
async function loadNext(
  client: Client,
  table: BackupTable,
  isOurs: boolean,
  reader: BackupReader,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const { name } = await reader.next('table');
  if (name !== table.name) throw new BackupProblem(`the backup has ${name} where ${table.name} should be`);
  let expected: TableContent | undefined;
  async function* data() {
    for await (const part of reader.rows((end) => {
      expected = end;
    })) {
      onBytes(part.length);
      yield part;
    }
  }
  if (!isOurs) {
    for await (const _ of data());
    return 0;
  }
  const loaded = await loadTable(client, table, data());
  if (expected === undefined) throw new BackupProblem(`the backup ends within the table ${name}`);
  requireSame(name, loaded, expected);
  requireSame(name, await checksumOf(client, table), expected);
  return loaded.rows;
}

async function loadTables(
  client: Client,
  transaction: Transaction,
  reader: BackupReader,
  { tables }: BackupManifest,
  onProgress: Required<RestoreBackupOptions>['onProgress'],
): Promise<LoadedTables> {
  const created = await listTables(transaction);
  const ours = new Set(created.map(({ name }) => name));
  await emptyTables(transaction, created);
  let rows = 0;
  let bytes = 0;
  for (const [index, table] of tables.entries()) {
    rows += await loadNext(client, table, ours.has(table.name), reader, (more) => {
      bytes += more;
      onProgress({ table: table.name, number: index + 1, tables: tables.length, bytes });
    });
  }
  await reader.next('end');
  for (const { name } of created) await setTriggers('enable', name).execute(transaction);
  return { rows, leftOut: tables.map(({ name }) => name).filter((name) => !ours.has(name)) };
}

async function setSequences(transaction: Transaction, { sequences }: BackupManifest): Promise<void> {
  const ours = new Set((await listSequences(transaction)).map(({ name }) => name));
  for (const { name, value, isCalled } of sequences.filter((sequence) => ours.has(sequence.name))) {
    await sql`select setval(${sql.lit(`"${name}"`)}::regclass, ${value}::bigint, ${isCalled})`.execute(
      transaction,
    );
  }
}

async function countPending(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pending`.execute(
    transaction,
  );
  return rows[0]?.count ?? 0;
}

async function restore(connection: SingleConnection, options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { encryptionKeys, file, onProgress = () => {}, requireRoom = async () => {}, signal } = options;
  const { database, client } = connection;
  await requireSupportedServer(database);
  await requireEmptySchema(database);
  const content = pipeline(
    createReadStream(resolve(file)),
    (sealed: AsyncIterable<Buffer>) => unseal(sealed, encryptionKeys),
    createGunzip(),
    // Whoever reads the records gets the error.
    () => {},
  );
  const stop = () => content.destroy(new BackupProblem('stopped: nothing was restored'));
  signal?.addEventListener('abort', stop);
  try {
    const reader = new BackupReader(decodeRecords(content));
    const manifest = await reader.next('manifest');
    await requireRoom(manifest.databaseBytes);
    const transaction = await database.startTransaction().execute();
    await createTables(transaction, manifest);
    const { rows, leftOut } = await loadTables(client, transaction, reader, manifest, onProgress);
    await setSequences(transaction, manifest);
    await forgetChangeClock(transaction);
    const migrated = await runMigrationsAtOnce(transaction, migrations);
    const pending = await countPending(transaction);
    const keyUses = await countKeyUses(transaction);
    await transaction.commit().execute();
    // Until then the planner knows nothing of the tables.
    await client.query('analyze');
    return {
      takenAt: new Date(manifest.takenAt),
      tables: manifest.tables.length,
      rows,
      postgres: manifest.postgres,
      migrated,
      leftOut,
      pending,
      keyUses,
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    content.destroy();
  }
}

/**
 * Loads a backup into an empty database, in one transaction: all of it or nothing. The tables are created as they were,
 * loaded, read again and compared with the checksums in the backup, and then migrated to this version.
 *
 * @throws BackupProblem, UnsuitableDatabase
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  try {
    return await onSingleConnection(options.databaseUrl, (connection) => restore(connection, options));
  } catch (error) {
    throw fileProblem(error, resolve(options.file));
  }
}
