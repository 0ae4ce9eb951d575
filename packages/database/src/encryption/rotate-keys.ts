import { sql } from 'kysely';
import type { Queryable } from '../connections/database.ts';
import type { Schema } from '../migrations/schema.ts';
import {
  CannotDecrypt,
  checkEncryptionKeys,
  createEncryption,
  type EncryptedColumn,
  type Encryption,
  type EncryptionKey,
  locate,
} from './encryption.ts';

/** How many stored values a key encrypts. */
export interface KeyUse {
  readonly keyId: string;
  readonly values: number;
}

/** An encrypted value that no key opens. */
export interface LostValue {
  /** Table, column and primary key. */
  readonly where: string;
  readonly reason: string;
}

export interface KeyRotation {
  readonly currentKeyId: string;
  readonly reencrypted: number;
  /** Left unchanged; only the first hundred are listed. */
  readonly lost: readonly LostValue[];
  /** Counted at the end; includes keys that were not given. */
  readonly uses: readonly KeyUse[];
}

export interface RotateKeysOptions {
  readonly databaseUrl: string;
  /** The first one, the current key, encrypts everything. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Called after each batch. */
  readonly onProgress?: (progress: { readonly table: string; readonly reencrypted: number }) => void;
}

const batchSize = 100;
const maxLost = 100;

// A host that was started with another key first still encrypts with that key, and will do so after any pass: repeating
// passes forever would not help.
const maxPasses = 3;

interface Row {
  readonly encrypted: string;
  readonly key: readonly (string | Buffer)[];
}

const keyText = (key: Row['key']) =>
  key.map((value) => (typeof value === 'string' ? value : value.toString('base64url')));

const keyOf = (column: EncryptedColumn) =>
  sql.join(
    column.key.map((name) => sql.ref(name)),
    sql`, `,
  );

interface Wanted {
  /** Only values not encrypted with this key. */
  readonly notBy?: string;
  readonly after?: Row['key'] | undefined;
  readonly limit: number;
}

/** The next values of a column, by primary key. */
async function readValues(
  database: Queryable,
  column: EncryptedColumn,
  { notBy, after, limit }: Wanted,
): Promise<readonly Row[]> {
  const value = sql.ref(column.column);
  const isWanted = notBy === undefined ? sql`true` : sql`split_part(${value}, ':', 2) <> ${notBy}`;
  const position = after === undefined ? sql`true` : sql`row(${keyOf(column)}) > row(${sql.join(after)})`;
  const key = column.key.map((name, index) => sql`${sql.ref(name)} as ${sql.ref(`key${index}`)}`);
  const { rows } = await sql<Record<string, string | Buffer>>`
select ${sql.join(key, sql`, `)}, ${value} as encrypted from ${sql.table(column.table)}
where ${value} is not null and ${isWanted} and ${position}
order by ${keyOf(column)} limit ${limit}`.execute(database);
  return rows.map(({ encrypted, ...key }) => ({
    encrypted: String(encrypted),
    key: column.key.map((_, index) => key[`key${index}`] ?? ''),
  }));
}

// Compare-and-set: a value that a host wrote meanwhile stays.
async function replace(
  database: Queryable,
  column: EncryptedColumn,
  { key, encrypted }: Row,
  replacement: string,
): Promise<number> {
  const value = sql.ref(column.column);
  const { numAffectedRows = 0n } = await sql`
update ${sql.table(column.table)} set ${value} = ${replacement}
where row(${keyOf(column)}) = row(${sql.join(key)}) and ${value} = ${encrypted}`.execute(database);
  return Number(numAffectedRows);
}

/** The text of an encrypted value, or why there is none. */
function open(
  encryption: Encryption,
  column: EncryptedColumn,
  { key, encrypted }: Row,
): { readonly plain: string } | LostValue {
  try {
    return { plain: encryption.decrypt(locate(column, ...keyText(key)), encrypted) };
  } catch (error) {
    if (!(error instanceof CannotDecrypt)) throw error;
    return { where: `${column.table}.${column.column} of ${keyText(key).join(', ')}`, reason: error.message };
  }
}

interface ColumnPass {
  readonly reencrypted: number;
  readonly lost: readonly LostValue[];
}

/** Encrypts a column's values with the current key. @param onBatch called with the number of values of each batch */
async function passColumn(
  database: Queryable,
  encryption: Encryption,
  column: EncryptedColumn,
  onBatch: (reencrypted: number) => void,
): Promise<ColumnPass> {
  const lost: LostValue[] = [];
  let reencrypted = 0;
  let after: Row['key'] | undefined;
  for (;;) {
    const notBy = encryption.currentKeyId;
    const batch = await readValues(database, column, { notBy, after, limit: batchSize });
    after = batch.at(-1)?.key;
    if (after === undefined) return { reencrypted, lost };
    let done = 0;
    for (const row of batch) {
      const opened = open(encryption, column, row);
      if ('plain' in opened) {
        const location = locate(column, ...keyText(row.key));
        done += await replace(database, column, row, encryption.encrypt(location, opened.plain));
      } else if (lost.length < maxLost) lost.push(opened);
    }
    reencrypted += done;
    onBatch(done);
  }
}

const checkColumn = { table: 'encryption_check', column: 'encrypted' };

/** How many values each key encrypts, by key id. */
export async function countKeyUses(
  database: Queryable,
  columns: readonly EncryptedColumn[],
): Promise<readonly KeyUse[]> {
  const ids = [...columns, checkColumn].map(({ table, column }) => {
    const value = sql.ref(column);
    return sql`select split_part(${value}, ':', 2) as key_id from ${sql.table(table)} where ${value} is not null`;
  });
  const { rows } = await sql<KeyUse>`
select key_id, count(*)::integer as values from (${sql.join(ids, sql` union all `)}) as value
group by key_id order by key_id`.execute(database);
  return rows;
}

/** Tries to decrypt stored values, at most `limit` of each column. */
export async function openStoredValues(
  database: Queryable,
  encryption: Encryption,
  { columns, limit }: { readonly columns: readonly EncryptedColumn[]; readonly limit: number },
): Promise<{ readonly opened: number; readonly lost: readonly LostValue[] }> {
  let opened = 0;
  const lost: LostValue[] = [];
  for (const column of columns) {
    for (const row of await readValues(database, column, { limit })) {
      const outcome = open(encryption, column, row);
      if ('plain' in outcome) opened += 1;
      else lost.push(outcome);
    }
  }
  return { opened, lost };
}

async function rotate(
  database: Queryable,
  encryption: Encryption,
  columns: readonly EncryptedColumn[],
  onProgress: Required<RotateKeysOptions>['onProgress'],
): Promise<KeyRotation> {
  // First, so that keys of another database change nothing.
  await checkEncryptionKeys(database, encryption);
  let reencrypted = 0;
  for (let pass = 1; ; pass += 1) {
    const before = reencrypted;
    const lost: LostValue[] = [];
    for (const column of columns) {
      const passed = await passColumn(database, encryption, column, (done) => {
        reencrypted += done;
        onProgress({ table: column.table, reencrypted });
      });
      lost.push(...passed.lost);
    }
    if (reencrypted > before && pass < maxPasses) continue;
    const uses = await countKeyUses(database, columns);
    return { currentKeyId: encryption.currentKeyId, reencrypted, lost: lost.slice(0, maxLost), uses };
  }
}

/**
 * Re-encrypts all values under other keys with the current one, while hosts run. Each value is replaced in a separate
 * transaction, and only if it did not change meanwhile. So a rotation may be stopped at any moment and run again, and
 * several may run at once.
 *
 * @throws WrongEncryptionKeys
 * @throws UnsuitableDatabase unless the database has exactly the migrations of this version
 */
export async function rotateKeys<Tables>(
  schema: Schema<Tables>,
  columns: readonly EncryptedColumn[],
  options: RotateKeysOptions,
): Promise<KeyRotation> {
  const { databaseUrl, encryptionKeys, onProgress = () => {} } = options;
  const encryption = createEncryption(encryptionKeys);
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    onConnectionError: () => {},
  });
  try {
    await schema.requireNewest(database);
    return await rotate(database, encryption, columns, onProgress);
  } finally {
    await database.destroy();
  }
}
