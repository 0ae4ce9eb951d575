import { sql } from 'kysely';
import type { Queryable } from '../connections/database.ts';
import { CannotDecrypt, type Encryption, type ValueLocation } from './encryption.ts';

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
