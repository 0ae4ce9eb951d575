import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { type Encryption, locate } from './encryption.ts';

/**
 * The hash (HMAC-SHA256) by which a guest's e-mail address is found where the address itself is not stored. Ignores
 * case and surrounding spaces; different for each pool.
 *
 * @returns undefined for a value that is not a string, or is blank
 */
export type HashEmail = (pool: string, email: unknown) => Buffer | undefined;

const id = 'guests';
const keyBytes = 32;

async function readKey(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ encrypted: string }>`
select key_encrypted as encrypted from email_hash_key where id = ${id}`.execute(database);
  return rows[0]?.encrypted;
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
    await sql`insert into email_hash_key (id, key_encrypted) values (${id}, ${made}) on conflict do nothing`.execute(
      database,
    );
    // Read again: of two hosts that start at once, only one inserts its key.
    encrypted = (await readKey(database)) ?? made;
  }
  const key = Buffer.from(encryption.decrypt(location, encrypted), 'base64');
  return (pool, email) => {
    const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
    if (address === '') return undefined;
    return createHmac('sha256', key)
      .update(JSON.stringify([pool, address]))
      .digest();
  };
}
