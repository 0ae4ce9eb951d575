import { settingsOf } from '../booking-systems/booking-systems.ts';
import type { Database } from '../database/database.ts';
import { installationOf } from '../installations/installation.ts';
import { webhookEndpointOf } from '../webhooks/webhook-endpoint.ts';
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

const location: ValueLocation = { table: 'encryption_check', column: 'encrypted', row: ['check'] };
const plaintext = 'waiver-service';

/** Returns the error that decrypting ends with, if any. */
function decryptionError(decrypt: () => unknown): CannotDecrypt | undefined {
  try {
    decrypt();
    return undefined;
  } catch (error) {
    if (error instanceof CannotDecrypt) return error;
    throw error;
  }
}

// For a database that has no check value yet: the newest secret of each kind. One that decrypts is enough, since the
// others may have been encrypted with a key that is no longer used.
async function checkByStoredSecrets(database: Database, encryption: Encryption): Promise<void> {
  const installations = await database
    .selectFrom('installation')
    .selectAll()
    .where('account_encrypted', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .execute();
  const bookingSystems = await database
    .selectFrom('booking_system')
    .selectAll()
    .where('settings_encrypted', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .execute();
  const webhooks = await database
    .selectFrom('webhook')
    .selectAll()
    .orderBy('updated_at', 'desc')
    .limit(1)
    .execute();
  const errors = [
    ...installations.map((row) => decryptionError(() => installationOf(encryption, row))),
    ...bookingSystems.map((row) => decryptionError(() => settingsOf(encryption, row))),
    ...webhooks.map((row) => decryptionError(() => webhookEndpointOf(encryption, row, []))),
  ];
  const [error] = errors;
  if (error !== undefined && !errors.includes(undefined)) throw new WrongEncryptionKeys(error);
}

const readCheck = (database: Database) =>
  database.selectFrom('encryption_check').select('encrypted').executeTakeFirst();

/** Checks the keys without writing anything. @throws WrongEncryptionKeys */
export async function requireMatchingKeys(database: Database, encryption: Encryption): Promise<void> {
  const known = await readCheck(database);
  if (known === undefined) return checkByStoredSecrets(database, encryption);
  const error = decryptionError(() => encryption.decrypt(location, known.encrypted));
  if (error !== undefined) throw new WrongEncryptionKeys(error);
}

/**
 * Checks the keys against a value that the first start encrypted. If another key than the current one encrypted it, it
 * is encrypted anew.
 *
 * @throws WrongEncryptionKeys
 */
export async function checkEncryptionKeys(database: Database, encryption: Encryption): Promise<void> {
  const known = await readCheck(database);
  if (known === undefined) {
    await checkByStoredSecrets(database, encryption);
    const encrypted = encryption.encrypt(location, plaintext);
    await database
      .insertInto('encryption_check')
      .values({ encrypted })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  // Read again: of two hosts that start at once, only one inserts its value.
  const { encrypted } = known ?? (await readCheck(database)) ?? { encrypted: '' };
  const error = decryptionError(() => encryption.decrypt(location, encrypted));
  if (error !== undefined) throw new WrongEncryptionKeys(error);
  if (encryption.isByCurrentKey(encrypted)) return;
  await database
    .updateTable('encryption_check')
    .set({ encrypted: encryption.encrypt(location, plaintext) })
    .where('encrypted', '=', encrypted)
    .execute();
}
