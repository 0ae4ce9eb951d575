import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key that encrypts what is secret in the database. */
export interface EncryptionKey {
  /** Stands beside what it encrypts: letters, digits, `_`, `.` and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Where an encrypted value is: it can be decrypted nowhere else. */
export interface EncryptedPlace {
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: readonly string[];
}

/** Encrypts and decrypts single values. */
export interface Encryption {
  encrypt(place: EncryptedPlace, plain: string): string;
  /** @throws CannotDecrypt */
  decrypt(place: EncryptedPlace, encrypted: string): string;
  /** Whether a value was encrypted by the key that encrypts now. */
  isByFirstKey(encrypted: string): boolean;
}

/** A value that none of the keys opens, or that was changed or moved. The message names the key's id, never a key. */
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
 * AES-256-GCM with a random 96-bit iv. The result is `v1:<key id>:<base64 of iv, tag, ciphertext>`; table, column
 * and row are authenticated with it.
 *
 * @param keys the first one encrypts, all decrypt.
 */
export function createEncryption(keys: readonly EncryptionKey[]): Encryption {
  const [first] = keys;
  if (first === undefined) throw new Error('at least one encryption key is needed');
  const byId = new Map<string, Buffer>();
  for (const { id, key } of keys) {
    if (!keyIdPattern.test(id))
      throw new Error(`"${id}" is not an encryption key id: letters, digits, _ . and -`);
    if (key.length !== keyBytes)
      throw new Error(`encryption key ${id} has ${key.length} bytes, not ${keyBytes}`);
    if (byId.has(id)) throw new Error(`there are two encryption keys with the id ${id}`);
    byId.set(id, key);
  }
  return {
    isByFirstKey: (encrypted) => encrypted.startsWith(`${format}:${first.id}:`),
    encrypt(place, plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, first.key, iv).setAAD(authenticated(place));
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${format}:${first.id}:${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
    },
    decrypt(place, encrypted) {
      const [foundFormat, id = '', payload = ''] = encrypted.split(':');
      const where = `${place.table}.${place.column}`;
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
          .setAAD(authenticated(place))
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

function authenticated({ table, column, row }: EncryptedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, ...row]), 'utf8');
}
