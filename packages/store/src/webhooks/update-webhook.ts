import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import { narrowPermission, probeSoon } from '../destinations/index.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { requireCredentialsFor } from './kept-credentials.ts';
import { addSigningSecret, withSigningSecrets } from './signing-secrets.ts';
import { encryptAuth, webhookEndpointOf } from './webhook-endpoint.ts';
import type { WebhookChange, WebhookResult } from './webhooks.ts';

export interface WebhookUpdate {
  readonly pool: string;
  readonly id: string;
  readonly change: WebhookChange;
}

/**
 * Changes a webhook. If failures paused its destination, it is probed at once.
 *
 * @returns undefined if there is no such webhook; `narrowed` if fewer answers may be sent to it than before
 * @throws CredentialsNeeded
 */
export async function updateWebhook(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  { pool, id, change }: WebhookUpdate,
): Promise<{ readonly result: WebhookResult; readonly narrowed: boolean } | undefined> {
  const { url, auth, properties, signing } = change;
  const former = await transaction
    .selectFrom('webhook')
    .selectAll()
    .where('pool', '=', pool)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (former === undefined) return undefined;
  requireCredentialsFor(
    { url: former.url, auth: () => webhookEndpointOf(encryption, former, []).auth },
    change,
  );
  const row = await transaction
    .updateTable('webhook')
    // Kysely omits columns that are undefined.
    .set({
      updated_at: currentTime,
      url,
      auth_encrypted: auth && encryptAuth(encryption, id, auth),
      properties: properties?.slice(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (signing === false) {
    await transaction.deleteFrom('webhook_secret').where('webhook_id', '=', id).execute();
  }
  const [before] = await withSigningSecrets(transaction, encryption, [row]);
  const isMissing = signing === true && before?.signingSecrets.length === 0;
  const signingSecret = isMissing ? await addSigningSecret(transaction, encryption, id) : undefined;
  const [endpoint] = await withSigningSecrets(transaction, encryption, [row]);
  if (endpoint === undefined) throw new Error(`webhook ${id} was updated but not found`);
  await probeSoon(transaction, row.destination_id);
  const narrowed = await narrowPermission(transaction, {
    destination: row.destination_id,
    before: former.properties,
    after: row.properties,
  });
  return { result: { endpoint, signingSecret }, narrowed };
}
