import { sql } from 'kysely';
import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import { definedColumns } from '../database/defined-columns.ts';
import { narrowPermission } from '../destinations/narrow-permission.ts';
import { probeSoon } from '../destinations/open-destination.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { requireCredentialsFor } from './kept-credentials.ts';
import { addSigningSecret, withSigningSecrets } from './signing-secrets.ts';
import { encryptAuth, type WebhookRow, webhookColumns, webhookEndpointOf } from './webhook-endpoint.ts';
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
  const found = await sql<WebhookRow>`
select ${webhookColumns} from webhook where pool = ${pool} and id = ${id} for update`.execute(transaction);
  const [former] = found.rows;
  if (former === undefined) return undefined;
  requireCredentialsFor(
    { url: former.url, auth: () => webhookEndpointOf(encryption, former, []).auth },
    change,
  );
  const { assignments } = definedColumns({
    updatedAt: currentTime,
    url,
    authEncrypted: auth && encryptAuth(encryption, id, auth),
    properties,
  });
  const { rows } = await sql<WebhookRow>`
update webhook set ${assignments} where id = ${id} returning ${webhookColumns}`.execute(transaction);
  if (signing === false) {
    await transaction.deleteFrom('webhookSecret').where('webhookId', '=', id).execute();
  }
  const [before] = await withSigningSecrets(transaction, encryption, rows);
  const isMissing = signing === true && before?.signingSecrets.length === 0;
  const signingSecret = isMissing ? await addSigningSecret(transaction, encryption, id) : undefined;
  const [endpoint] = await withSigningSecrets(transaction, encryption, rows);
  if (endpoint === undefined) throw new Error(`webhook ${id} was updated but not found`);
  await probeSoon(transaction, endpoint.destinationId);
  const narrowed = await narrowPermission(transaction, {
    destination: endpoint.destinationId,
    before: former.properties,
    after: endpoint.properties,
  });
  return { result: { endpoint, signingSecret }, narrowed };
}
