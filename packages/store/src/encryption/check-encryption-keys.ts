import { settingsOf } from '../booking-systems/settings-row.ts';
import type { Database } from '../database/database.ts';
import { installationOf } from '../installations/installation.ts';
import { webhookEndpointOf } from '../webhooks/webhook-endpoint.ts';
import { CannotDecrypt, type EncryptedPlace, type Encryption } from './encryption.ts';

/** The encryption keys do not open what the database holds; the message says what to do. */
export class WrongEncryptionKeys extends Error {
  override readonly name = 'WrongEncryptionKeys';
  constructor(cause: CannotDecrypt) {
    super(
      `ENCRYPTION_KEYS are not those of this database (${cause.message}). Start with the keys that it was used with; a new key goes in front of them.`,
      { cause },
    );
  }
}

const place: EncryptedPlace = { table: 'encryption_check', column: 'encrypted', row: ['check'] };
const plain = 'waiver-service';

/** Why a value does not open, undefined where it does. */
function tryToOpen(open: () => unknown): CannotDecrypt | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (error instanceof CannotDecrypt) return error;
    throw error;
  }
}

// A database from before there was the check value: what was written last of each kind. One that opens is enough, since
// others may have been written with a key that was given up.
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
  const reasons = [
    ...installations.map((row) => tryToOpen(() => installationOf(encryption, row))),
    ...bookingSystems.map((row) => tryToOpen(() => settingsOf(encryption, row))),
    ...webhooks.map((row) => tryToOpen(() => webhookEndpointOf(encryption, row, []))),
  ];
  const [reason] = reasons;
  if (reason !== undefined && !reasons.includes(undefined)) throw new WrongEncryptionKeys(reason);
}

const readCheck = (database: Database) =>
  database.selectFrom('encryption_check').select('encrypted').executeTakeFirst();

/**
 * Checks that the keys are those of the database, by a value that is kept for that. It is encrypted by the first key,
 * also where it was by another.
 *
 * @throws WrongEncryptionKeys
 */
export async function checkEncryptionKeys(database: Database, encryption: Encryption): Promise<void> {
  const known = await readCheck(database);
  if (known === undefined) {
    await checkByStoredSecrets(database, encryption);
    const encrypted = encryption.encrypt(place, plain);
    await database
      .insertInto('encryption_check')
      .values({ encrypted })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  // Of two hosts that start at once, the other one may have written it.
  const { encrypted } = known ?? (await readCheck(database)) ?? { encrypted: '' };
  const reason = tryToOpen(() => encryption.decrypt(place, encrypted));
  if (reason !== undefined) throw new WrongEncryptionKeys(reason);
  if (encryption.isByFirstKey(encrypted)) return;
  await database
    .updateTable('encryption_check')
    .set({ encrypted: encryption.encrypt(place, plain) })
    .where('encrypted', '=', encrypted)
    .execute();
}
