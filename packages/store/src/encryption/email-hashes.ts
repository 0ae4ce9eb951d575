import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { asciiAddress } from '@waiver-service/api';
import { type Encryption, locate } from '@waiver-service/database';
import type { Database } from '../database/tables.ts';
import { encryptedColumns } from './encrypted-columns.ts';

/**
 * The hash (HMAC-SHA256) by which a guest's e-mail address is found where the address itself is not stored. Ignores
 * case, surrounding spaces, and how the domain is written: `käse.example` is `xn--kse-qla.example`, and
 * `ｇmail.example` is `gmail.example`. Different for each pool.
 *
 * @returns undefined for a value that is not a string, or is blank
 */
export type HashEmail = (pool: string, email: unknown) => Buffer | undefined;

function comparable(given: string): string {
  const ascii = asciiAddress(given.trim());
  // No domain: other texts are hashed, too.
  return (ascii.endsWith('@') ? given.trim() : ascii).toLowerCase();
}

const id = 'guests';
const keyBytes = 32;

async function readKey(database: Database): Promise<string | undefined> {
  const row = await database
    .selectFrom('emailHashKey')
    .select('keyEncrypted as encrypted')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.encrypted;
}

/**
 * Reads the key of the hashes, which the first start creates. It is not one of the encryption keys, since it must
 * survive their rotation.
 *
 * @throws CannotDecrypt
 */
export async function openEmailHashes(database: Database, encryption: Encryption): Promise<HashEmail> {
  const location = locate(encryptedColumns.emailHashKey, id);
  let encrypted = await readKey(database);
  if (encrypted === undefined) {
    const made = encryption.encrypt(location, randomBytes(keyBytes).toString('base64'));
    await database
      .insertInto('emailHashKey')
      .values({ id, keyEncrypted: made })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Read again: of two hosts that start at once, only one inserts its key.
    encrypted = (await readKey(database)) ?? made;
  }
  const key = createSecretKey(Buffer.from(encryption.decrypt(location, encrypted), 'base64'));
  return (pool, email) => {
    const address = typeof email === 'string' ? comparable(email) : '';
    if (address === '') return undefined;
    return createHmac('sha256', key)
      .update(JSON.stringify([pool, address]))
      .digest();
  };
}
