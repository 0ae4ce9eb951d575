import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import { narrowPermission, probeSoon } from '../destinations/index.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { withSecrets } from './read-webhooks.ts';
import { addSigningSecret } from './signing-secrets.ts';
import { encryptAuth } from './webhook-endpoint.ts';
import type { WebhookChange, WebhookResult } from './webhooks.ts';

/** Which webhook changes, and how. */
export interface WebhookUpdate {
  readonly pool: string;
  readonly id: string;
  readonly change: WebhookChange;
}

/**
 * Changes a webhook; where failures had paused it, it is probed at once.
 *
 * @returns `undefined` where there is none; `narrowed`: fewer answers may leave than before.
 */
export async function updateWebhook(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  { pool, id, change }: WebhookUpdate,
): Promise<{ readonly result: WebhookResult; readonly narrowed: boolean } | undefined> {
  const { url, auth, properties, signing } = change;
  const former = await transaction
    .selectFrom('webhook')
    .select(['destination_id', 'properties'])
    .where('pool', '=', pool)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (former === undefined) return undefined;
  const row = await transaction
    .updateTable('webhook')
    .set({
      updated_at: currentTime,
      ...(url === undefined ? {} : { url }),
      ...(auth === undefined ? {} : { auth_encrypted: encryptAuth(encryption, id, auth) }),
      ...(properties === undefined ? {} : { properties: [...properties] }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (signing === false) {
    await transaction.deleteFrom('webhook_secret').where('webhook_id', '=', id).execute();
  }
  const [before] = await withSecrets(transaction, encryption, [row]);
  const isMissing = signing === true && before?.signingSecrets.length === 0;
  const added = isMissing ? { signingSecret: await addSigningSecret(transaction, encryption, id) } : {};
  const [endpoint] = await withSecrets(transaction, encryption, [row]);
  if (endpoint === undefined) throw new Error('a webhook was written and is not there');
  await probeSoon(transaction, row.destination_id);
  const narrowed = await narrowPermission(transaction, {
    destination: row.destination_id,
    before: former.properties,
    after: row.properties,
  });
  return { result: { endpoint, ...added }, narrowed };
}
