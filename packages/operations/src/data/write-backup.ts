import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  appliedMigrations,
  createEncryption,
  type EncryptionKey,
  holdOffMigrations,
  requireMatchingKeys,
} from '@waiver-service/database';
import { type Database, type FeatureData, schemaOf } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { BackupProblem, fileProblem, seal } from './sealed-file.ts';
import { onSingleConnection, type SingleConnection } from './single-connection.ts';

/** A table, with its columns except generated ones. */
const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) });
export type BackupTable = z.infer<typeof tableSchema>;

/**
 * Every table of the schema, referenced tables first. Excludes those of extensions, which database providers may
 * install in the same schema.
 */
export async function listTables(database: Database): Promise<BackupTable[]> {
  const { rows } = await sql<BackupTable>`
with recursive depth as (
  select c.oid, 0 as depth from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (
      select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  union
  select k.conrelid, d.depth + 1 from depth d join pg_constraint k on k.confrelid = d.oid
  where k.contype = 'f' and k.conrelid <> k.confrelid)
select c.relname as name,
  array(select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum) as columns
from depth d join pg_class c on c.oid = d.oid
group by c.oid, c.relname order by max(d.depth), c.relname`.execute(database);
  return rows;
}

/** The first chunk of a backup. The rows of each table follow in COPY's text format, and an empty chunk after each. */
export const manifestSchema = z.object({
  /** The moment of the snapshot, by the database's clock. */
  takenAt: z.iso.datetime(),
  postgres: z.string().regex(/^[\x20-\x7e]{1,100}$/),
  migrations: z.array(z.string()),
  /** Ordered so that rows refer only to earlier ones. */
  tables: z.array(tableSchema),
  /** The last values of used sequences. */
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d{1,19}$/) })),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The progress of a backup or a restore. */
export interface BackupProgress {
  readonly table: string;
  /** Position among all tables, from 1. */
  readonly number: number;
  readonly tables: number;
  /** Of all tables so far, before compression. */
  readonly bytes: number;
}

/** The options of a backup or a restore. */
export interface BackupOptions {
  readonly databaseUrl: string;
  /** The first one encrypts backups; any decrypts. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** All of the service. */
  readonly features: readonly FeatureData[];
  readonly file: string;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Cancels it, leaving nothing behind. */
  readonly signal?: AbortSignal;
}

export interface WriteBackupOptions extends BackupOptions {
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

// A full disk harms everything else on it, above all the embedded database.
const reserveBytes = 256 * 1024 ** 2;

async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The table in a COPY statement. */
export const copied = ({ name, columns }: BackupTable): string =>
  `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`;

/** Begins the snapshot. Locks the tables first: one that is rewritten in between would look empty in it. */
async function beginSnapshot(database: Database) {
  await holdOffMigrations(database);
  const tables = (await listTables(database)).map(({ name }) => sql.table(name));
  const transaction = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await sql`lock table ${sql.join(tables)} in access share mode`.execute(transaction);
  return transaction;
}

async function readManifest(database: Database): Promise<Manifest> {
  const { rows } = await sql<Pick<Manifest, 'postgres' | 'sequences'> & { takenAt: Date }>`
select date_trunc('milliseconds', now()) as taken_at, current_setting('server_version') as postgres,
  (select coalesce(json_agg(json_build_object('name', sequencename, 'value', last_value::text)), '[]')
    from pg_sequences where schemaname = current_schema() and last_value is not null) as sequences`.execute(
    database,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the database does not describe itself');
  return {
    ...server,
    takenAt: server.takenAt.toISOString(),
    migrations: (await appliedMigrations(database)).map(({ name }) => name),
    tables: await listTables(database),
  };
}

async function writeSnapshot(
  { client, database }: SingleConnection,
  key: EncryptionKey,
  unfinished: string,
  { onProgress = () => {}, signal, freeBytes = measureFreeBytes }: WriteBackupOptions,
): Promise<Omit<WrittenBackup, 'file'>> {
  const snapshot = await beginSnapshot(database);
  const manifest = await readManifest(snapshot);
  const { tables } = manifest;
  const folder = dirname(unfinished);
  let rows = 0;
  let bytes = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(JSON.stringify(manifest));
    for (const [index, table] of tables.entries()) {
      const content = client.query(copyTo(`copy ${copied(table)} to stdout`));
      for await (const part of content) {
        if ((await freeBytes(folder)) < reserveBytes)
          throw new BackupProblem(`less than 256 MB are free in ${folder}: name a file on another disk`);
        bytes += part.length;
        onProgress({ table: table.name, number: index + 1, tables: tables.length, bytes });
        yield part;
      }
      rows += content.rowCount;
      yield Buffer.alloc(0);
    }
  }
  const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(chunks(), (content: AsyncIterable<Buffer>) => seal(content, key), output, { signal });
  await snapshot.commit().execute();
  const { size } = await stat(unfinished);
  const takenAt = new Date(manifest.takenAt);
  return { takenAt, keyId: key.id, tables: tables.length, rows, fileBytes: size };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

// A standby can be backed up, but not written to.
async function noteBackup(database: Database, { takenAt, keyId, fileBytes }: WrittenBackup): Promise<void> {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(database);
  if (rows[0]?.standby === true) return;
  await sql`
insert into backup (taken_at, key_id, file_bytes) values (${takenAt}, ${keyId}, ${fileBytes})`.execute(
    database,
  );
}

/**
 * Writes a snapshot of the whole database to an encrypted file, while hosts keep running. The file appears under its
 * name once it is complete, replacing an existing one.
 *
 * @throws BackupProblem, WrongEncryptionKeys, UnsuitableDatabase
 */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  const { databaseUrl, encryptionKeys } = options;
  const [key] = encryptionKeys;
  if (key === undefined) throw new Error('at least one encryption key is needed');
  const file = resolve(options.file);
  const unfinished = `${file}.unfinished-${randomBytes(4).toString('hex')}`;
  return onSingleConnection(databaseUrl, async (connection) => {
    await schemaOf(options.features).requireNewest(connection.database);
    await requireMatchingKeys(connection.database, createEncryption(encryptionKeys));
    try {
      const written = { ...(await writeSnapshot(connection, key, unfinished, options)), file };
      await rename(unfinished, file);
      await syncFolder(dirname(file));
      await noteBackup(connection.database, written);
      return written;
    } catch (error) {
      throw fileProblem(error, file);
    } finally {
      await rm(unfinished, { force: true });
    }
  });
}
