import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { requireMatchingKeys } from '../encryption/check-encryption-keys.ts';
import { createEncryption, type Encryption, type EncryptionKey } from '../encryption/encryption.ts';
import { requireKnownMigrations, UnsuitableDatabase } from '../migrations/migrate.ts';
import { appliedMigrations, holdOffMigrations } from '../migrations/run-migrations.ts';
import { BackupProblem, fileProblem } from './backup-problem.ts';
import { listSequences, listTables } from './catalog.ts';
import { readTable } from './copy-table.ts';
import { type BackupManifest, encodeRecord, encodeRows } from './records.ts';
import { seal } from './sealed-file.ts';
import { onSingleConnection, type SingleConnection } from './single-connection.ts';

/** How far a backup or a restore is. */
export interface BackupProgress {
  readonly table: string;
  /** Of how many tables this one is which. */
  readonly number: number;
  readonly tables: number;
  /** Of all tables so far, before compression. */
  readonly bytes: number;
}

export interface WriteBackupOptions {
  readonly databaseUrl: string;
  /** The first one encrypts the backup. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly file: string;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Ends it; the unfinished file is removed. */
  readonly signal?: AbortSignal;
  /** The free bytes of a folder's disk; measured by default. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface WrittenBackup {
  readonly takenAt: Date;
  readonly file: string;
  readonly keyId: string;
  readonly tables: number;
  readonly rows: number;
  readonly fileBytes: number;
}

// A full disk harms others on it, the embedded database first of all.
const reserveBytes = 256 * 1024 * 1024;
const checkEveryBytes = 16 * 1024 * 1024;
// Compressed and without indexes, a backup is rarely smaller than that.
const smallestShare = 0.05;

const freeBytesOf = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024).toLocaleString('en')} MB`;

async function requireRoom(folder: string, needed: number, freeBytes: typeof freeBytesOf): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= needed) return;
  throw new BackupProblem(
    `there is no room for a backup in ${folder}: ${inMegabytes(free)} are free, and ${inMegabytes(needed)} are needed at least. Name a file on another disk`,
  );
}

/** Passes on what is written, and fails before the disk is full. */
async function* watchRoom(
  content: AsyncIterable<Buffer>,
  folder: string,
  freeBytes: typeof freeBytesOf,
): AsyncGenerator<Buffer> {
  let unchecked = 0;
  for await (const part of content) {
    unchecked += part.length;
    if (unchecked >= checkEveryBytes) {
      unchecked = 0;
      await requireRoom(folder, reserveBytes, freeBytes);
    }
    yield part;
  }
}

const lockTables = (names: readonly string[]) =>
  sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access share mode`;

/**
 * Begins the snapshot. The tables are locked before it is taken: one that a migration rewrites in between would be empty
 * in it.
 */
async function beginSnapshot(database: Database) {
  await holdOffMigrations(database);
  const names = (await listTables(database)).map(({ name }) => name);
  const transaction = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await lockTables(names).execute(transaction);
  return transaction;
}

async function readManifest(database: Database): Promise<BackupManifest> {
  const { rows } = await sql<{ takenAt: Date; postgres: string; databaseBytes: number }>`
select date_trunc('milliseconds', now()) as "takenAt", current_setting('server_version') as postgres,
  pg_database_size(current_database()) as "databaseBytes"`.execute(database);
  const [server] = rows;
  if (server === undefined) throw new Error('the database does not describe itself');
  return {
    kind: 'manifest',
    ...server,
    takenAt: server.takenAt.toISOString(),
    migrations: (await appliedMigrations(database)).map(({ name }) => name),
    tables: [...(await listTables(database))],
    sequences: await listSequences(database),
  };
}

interface Counts {
  rows: number;
  bytes: number;
}

/** The records of a snapshot. */
async function* readSnapshot(
  { client }: SingleConnection,
  manifest: BackupManifest,
  counts: Counts,
  onProgress: Required<WriteBackupOptions>['onProgress'],
): AsyncGenerator<Buffer> {
  const { tables } = manifest;
  yield encodeRecord(manifest);
  for (const [index, table] of tables.entries()) {
    yield encodeRecord({ kind: 'table', name: table.name });
    const content = readTable(client, table);
    for (;;) {
      const { done, value } = await content.next();
      onProgress({ table: table.name, number: index + 1, tables: tables.length, bytes: counts.bytes });
      if (done) {
        yield encodeRecord({ kind: 'end-of-table', ...value });
        counts.rows += value.rows;
        break;
      }
      counts.bytes += value.length;
      yield* encodeRows(value);
    }
  }
  yield encodeRecord({ kind: 'end', tables: tables.length });
}

// Twice as fast as the default, for files a few per cent larger.
const compressionLevel = 3;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Checks that the database is ours and the keys are its own. It may be that of an older version. */
async function requireUsable(database: Database, encryption: Encryption): Promise<void> {
  const applied = await requireKnownMigrations(database);
  if (applied.length === 0) {
    throw new UnsuitableDatabase('the database has no tables of the waiver service: is it the right one?');
  }
  await requireMatchingKeys(database, encryption);
}

// A standby can be backed up, but not written to; and a database that is still to be migrated has no such table.
async function noteBackup(database: Database, backup: WrittenBackup): Promise<void> {
  const { rows } = await sql<{ possible: boolean }>`
select to_regclass('backup') is not null and not pg_is_in_recovery() as possible`.execute(database);
  if (rows[0]?.possible !== true) return;
  const { takenAt, keyId, fileBytes } = backup;
  await database
    .insertInto('backup')
    .values({ taken_at: takenAt, key_id: keyId, file_bytes: fileBytes })
    .execute();
}

async function writeSnapshot(
  connection: SingleConnection,
  key: EncryptionKey,
  unfinished: string,
  options: WriteBackupOptions,
): Promise<Omit<WrittenBackup, 'file'>> {
  const { onProgress = () => {}, signal, freeBytes = freeBytesOf } = options;
  const folder = dirname(unfinished);
  const snapshot = await beginSnapshot(connection.database);
  const manifest = await readManifest(snapshot);
  await requireRoom(folder, reserveBytes + manifest.databaseBytes * smallestShare, freeBytes);
  const counts: Counts = { rows: 0, bytes: 0 };
  await pipeline(
    readSnapshot(connection, manifest, counts, onProgress),
    createGzip({ level: compressionLevel }),
    (content: AsyncIterable<Buffer>) => seal(content, key),
    (content: AsyncIterable<Buffer>) => watchRoom(content, folder, freeBytes),
    createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    signal === undefined ? {} : { signal },
  );
  await snapshot.commit().execute();
  const { size } = await stat(unfinished);
  return {
    takenAt: new Date(manifest.takenAt),
    keyId: key.id,
    tables: manifest.tables.length,
    rows: counts.rows,
    fileBytes: size,
  };
}

/**
 * Writes everything in the database to an encrypted file, as it is at one moment, while hosts go on. The file appears under
 * its name when it is complete, and replaces one that is there.
 *
 * @throws BackupProblem, WrongEncryptionKeys, UnsuitableDatabase
 */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  const { databaseUrl, encryptionKeys } = options;
  const encryption = createEncryption(encryptionKeys);
  const [key] = encryptionKeys;
  if (key === undefined) throw new Error('at least one encryption key is needed');
  const file = resolve(options.file);
  const unfinished = `${file}.unfinished-${randomBytes(4).toString('hex')}`;
  try {
    const written = await onSingleConnection(databaseUrl, async (connection) => {
      await requireUsable(connection.database, encryption);
      return writeSnapshot(connection, key, unfinished, options);
    });
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    const backup = { ...written, file };
    await onSingleConnection(databaseUrl, ({ database }) => noteBackup(database, backup));
    return backup;
  } catch (error) {
    throw fileProblem(error, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}
