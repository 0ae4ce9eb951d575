import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../connections/database.ts';

/** A key for the secrets in the database. */
export interface EncryptionKey {
  /** Stored with each value that it encrypts: letters, digits, `_`, `.` and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Where an encrypted value is stored. It is authenticated data: a value copied elsewhere does not decrypt. */
export interface ValueLocation {
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: readonly string[];
}

/** A column of encrypted values, listed in `encrypted-columns.ts`. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, of type text or bytea, in the order in which {@link locate} takes them. */
  readonly key: readonly string[];
}

/** @param row - the primary key; the bytes of a `bytea` in base64url */
export const locate = ({ table, column }: EncryptedColumn, ...row: readonly string[]): ValueLocation => ({
  table,
  column,
  row,
});

export interface Encryption extends ReturnType<typeof createEncryption> {}

/** No key decrypts a value, or the value was changed or moved. The message names key ids, never a key. */
export class CannotDecrypt extends Error {
  override readonly name = 'CannotDecrypt';
}

const format = 'v1';
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const keyIdPattern = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * AES-256-GCM with a random 96-bit iv. Encrypted values are `v1:<key id>:<base64 of iv, tag, ciphertext>`.
 *
 * @param keys - the first one, the current key, encrypts; all decrypt
 */
export function createEncryption(keys: readonly EncryptionKey[]) {
  const [current] = keys;
  if (current === undefined) throw new Error('at least one encryption key is needed');
  // A cipher takes three times as long to create from a key's bytes.
  const byId = new Map<string, KeyObject>();
  for (const { id, key } of keys) {
    if (!keyIdPattern.test(id))
      throw new Error(`"${id}" is not an encryption key id: letters, digits, _ . and -`);
    if (key.length !== keyBytes)
      throw new Error(`encryption key ${id} has ${key.length} bytes, not ${keyBytes}`);
    if (byId.has(id)) throw new Error(`there are two encryption keys with the id ${id}`);
    byId.set(id, createSecretKey(key));
  }
  const currentKey = createSecretKey(current.key);
  return {
    /** The id of the key that encrypts new values. */
    currentKeyId: current.id,
    /** All keys, the current one first. */
    keyIds: keys.map(({ id }) => id),
    /** Whether a value was encrypted with the current key. */
    isByCurrentKey: (encrypted: string): boolean => encrypted.startsWith(`${format}:${current.id}:`),
    encrypt(location: ValueLocation, plaintext: string): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, currentKey, iv).setAAD(authenticatedData(location));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `${format}:${current.id}:${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
    },
    /** @throws CannotDecrypt */
    decrypt(location: ValueLocation, encrypted: string): string {
      const [foundFormat, id = '', payload = ''] = encrypted.split(':');
      const where = `${location.table}.${location.column}`;
      if (foundFormat !== format) throw new CannotDecrypt(`${where} is not in a known encrypted form`);
      const key = byId.get(id);
      if (key === undefined) {
        throw new CannotDecrypt(
          `${where} is encrypted with the key "${id}", which is not among ENCRYPTION_KEYS`,
        );
      }
      const bytes = Buffer.from(payload, 'base64');
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(authenticatedData(location))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return (
          decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        throw new CannotDecrypt(
          `${where} does not open with the key "${id}": ENCRYPTION_KEYS has another key under that id, or the value was changed or moved`,
        );
      }
    },
  };
}

function authenticatedData({ table, column, row }: ValueLocation): Buffer {
  return Buffer.from(JSON.stringify([table, column, ...row]), 'utf8');
}

/** The encryption keys are not those of the database; the message says what to do. */
export class WrongEncryptionKeys extends Error {
  override readonly name = 'WrongEncryptionKeys';
  constructor(cause: CannotDecrypt) {
    super(
      `ENCRYPTION_KEYS are not those of this database (${cause.message}). Start with the keys that it was used with; a new key goes in front of them.`,
      { cause },
    );
  }
}

/** The table of the check; the migrations of whoever opens the database make it. */
export const encryptionCheck = `
-- One row: if a host's encryption keys cannot decrypt it, they are not those of this database.
create table encryption_check (
  id boolean primary key default true check (id),
  encrypted text not null
);
`;

const location: ValueLocation = { table: 'encryption_check', column: 'encrypted', row: ['check'] };
const plaintext = 'waiver-service';

/** The error that decrypting throws, if any. */
function decryptionError(decrypt: () => unknown): CannotDecrypt | undefined {
  try {
    decrypt();
    return undefined;
  } catch (error) {
    if (error instanceof CannotDecrypt) return error;
    throw error;
  }
}

async function readCheck(database: Queryable): Promise<{ readonly encrypted: string } | undefined> {
  const { rows } = await sql<{ encrypted: string }>`select encrypted from encryption_check`.execute(database);
  return rows[0];
}

/** Checks the keys without writing anything. @throws WrongEncryptionKeys */
export async function requireMatchingKeys(database: Queryable, encryption: Encryption): Promise<void> {
  const known = await readCheck(database);
  if (known === undefined) return;
  const error = decryptionError(() => encryption.decrypt(location, known.encrypted));
  if (error !== undefined) throw new WrongEncryptionKeys(error);
}

/**
 * Checks the keys against a value that the first start encrypted, and re-encrypts it if that was not done with the
 * current key.
 *
 * @throws WrongEncryptionKeys
 */
export async function checkEncryptionKeys(database: Queryable, encryption: Encryption): Promise<void> {
  const known = await readCheck(database);
  if (known === undefined) {
    const encrypted = encryption.encrypt(location, plaintext);
    await sql`insert into encryption_check (encrypted) values (${encrypted}) on conflict do nothing`.execute(
      database,
    );
  }
  // Read again: of two hosts that start at once, only one inserts its value.
  const { encrypted } = known ?? (await readCheck(database)) ?? { encrypted: '' };
  const error = decryptionError(() => encryption.decrypt(location, encrypted));
  if (error !== undefined) throw new WrongEncryptionKeys(error);
  if (encryption.isByCurrentKey(encrypted)) return;
  await sql`
update encryption_check set encrypted = ${encryption.encrypt(location, plaintext)} where encrypted = ${encrypted}`.execute(
    database,
  );
}
