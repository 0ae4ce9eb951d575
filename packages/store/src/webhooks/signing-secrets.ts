import { randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction, Tables } from '../database/database.ts';
import type { WebhookTable } from '../database/tables-configuration.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { encryptSigningSecret, type WebhookEndpoint, webhookEndpointOf } from './webhook-endpoint.ts';

const secretBytes = 32;
const formerValidHours = 24;

/** Adds a signing secret (Standard Webhooks: `whsec_` and base64). Former ones expire in 24 hours at the latest. */
export async function addSigningSecret(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  webhookId: string,
): Promise<string> {
  await sql`delete from webhook_secret where webhook_id = ${webhookId} and expires_at <= now()`.execute(
    transaction,
  );
  await sql`
    update webhook_secret set expires_at = least(expires_at, now() + ${formerValidHours} * interval '1 hour')
    where webhook_id = ${webhookId}`.execute(transaction);
  const id = uuidv7();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  await transaction
    .insertInto('webhook_secret')
    .values({
      id,
      webhook_id: webhookId,
      secret_encrypted: encryptSigningSecret(encryption, id, secret),
      expires_at: null,
    })
    .execute();
  return secret;
}

/** Decrypts webhooks with their valid signing secrets. @throws CannotDecrypt */
export async function withSigningSecrets(
  database: Database,
  encryption: Encryption,
  rows: readonly Selectable<WebhookTable>[],
): Promise<WebhookEndpoint[]> {
  if (rows.length === 0) return [];
  const secrets = await database
    .selectFrom('webhook_secret')
    .select(['id', 'webhook_id', 'secret_encrypted'])
    .where(
      'webhook_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where(isValid)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) =>
    webhookEndpointOf(
      encryption,
      row,
      secrets.filter((secret) => secret.webhook_id === row.id),
    ),
  );
}

function isValid(where: ExpressionBuilder<Tables, 'webhook_secret'>) {
  return where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]);
}
