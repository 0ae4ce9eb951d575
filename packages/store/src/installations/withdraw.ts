import { currentTime } from '../database/database.ts';
import type { StoreContext } from '../store-context.ts';
import { encryptAccount, installationOf } from './installation.ts';
import { lockInstallation } from './lock-installation.ts';

/**
 * Sets a permission in the account information of an installation to false.
 *
 * @returns whether it was true
 */
export function withdraw(
  { database, encryption }: StoreContext,
  pool: string,
  bookingSystem: string,
  permission: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockInstallation(transaction, pool, bookingSystem);
    const account = row && installationOf(encryption, row)?.account;
    if (account?.information[permission] !== true) return false;
    const { apiKey } = account;
    const information = { ...account.information, [permission]: false };
    const encrypted = encryptAccount(encryption, pool, bookingSystem, { apiKey, information });
    await transaction
      .updateTable('installation')
      .set({ accountEncrypted: encrypted, updatedAt: currentTime })
      .where('pool', '=', pool)
      .where('bookingSystem', '=', bookingSystem)
      .execute();
    return true;
  });
}
