import { CannotDecrypt, type Encryption, milliseconds } from '@waiver-service/database';
import { sql } from 'kysely';
import { notify } from '../database/notifications.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import { type InstallationRow, installationOf } from './installation.ts';
import { encryptRemovalAccess, type RemovalAccess } from './vendor-webhooks.ts';

/** Has an installation's webhooks registered; on a reinstall again, since the account's key may have changed. */
export async function requestWebhooks(
  transaction: DatabaseTransaction,
  destination: string,
  { pool, bookingSystem }: { readonly pool: string; readonly bookingSystem: string },
): Promise<void> {
  await sql`
insert into vendor_webhook (destination, pool, booking_system) values (${destination}, ${pool}, ${bookingSystem})
on conflict (destination) do update set state = 'registering', due_at = now(), attempts = 0,
  request = vendor_webhook.request + 1`.execute(transaction);
  await notify(transaction, 'due_webhooks');
}

/** Has webhooks in use registered again, because the vendor's new address has none of them. */
export async function registerWebhooksAgain(
  transaction: DatabaseTransaction,
  destination: string,
): Promise<void> {
  await sql`
update vendor_webhook set due_at = now(), attempts = 0, request = request + 1,
  state = case when state = 'off' then state else 'registering' end
where destination = ${destination} and state <> 'removing'`.execute(transaction);
  await notify(transaction, 'due_webhooks');
}

// A vendor that is unreachable for longer is not worth keeping a former partner's key for.
const removalMs = 24 * 60 * 60_000;

/** Has webhooks removed that may be registered. Call it before an uninstall erases the account. */
export async function requestRemoval(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  installation: InstallationRow,
): Promise<void> {
  const { destinationId: destination } = installation;
  const { rows } = await sql`
select from vendor_webhook where destination = ${destination} and cardinality(base_urls) > 0
for update`.execute(transaction);
  const access = rows.length === 0 ? undefined : readableAccess(encryption, installation);
  if (access === undefined) {
    await transaction.deleteFrom('vendorWebhook').where('destination', '=', destination).execute();
    return;
  }
  await transaction
    .updateTable('vendorWebhook')
    .set({
      state: 'removing',
      dueAt: sql<Date>`now()`,
      attempts: 0,
      request: sql<number>`request + 1`,
      accountEncrypted: encryptRemovalAccess(encryption, destination, access),
      giveUpAt: sql<Date>`now() + ${milliseconds(removalMs)}`,
    })
    .where('destination', '=', destination)
    .execute();
  await notify(transaction, 'due_webhooks');
}

/** Undefined if it cannot be decrypted: an uninstall must be possible without the key. */
function readableAccess(encryption: Encryption, installation: InstallationRow): RemovalAccess | undefined {
  try {
    return installationOf(encryption, installation);
  } catch (error) {
    if (error instanceof CannotDecrypt) return undefined;
    throw error;
  }
}
