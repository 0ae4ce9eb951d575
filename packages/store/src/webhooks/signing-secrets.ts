import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { isUnexpired } from '../keys/key-info.ts';
import {
  encryptSigningSecret,
  type WebhookEndpoint,
  type WebhookRow,
  webhookEndpointOf,
} from './webhook-endpoint.ts';

const secretBytes = 32;
const formerValidHours = 24;

/** A signing secret in the format of Standard Webhooks: `whsec_` and base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** Adds a signing secret. Previous ones expire in 24 hours at the latest. */
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
  const secret = newSigningSecret();
  await sql`
insert into webhook_secret (id, webhook_id, secret_encrypted)
values (${id}, ${webhookId}, ${encryptSigningSecret(encryption, id, secret)})`.execute(transaction);
  return secret;
}

/** Decrypts webhooks with their valid signing secrets. @throws CannotDecrypt */
export async function withSigningSecrets(
  database: Database,
  encryption: Encryption,
  rows: readonly WebhookRow[],
): Promise<WebhookEndpoint[]> {
  if (rows.length === 0) return [];
  const { rows: secrets } = await sql<{ id: string; webhookId: string; secretEncrypted: string }>`
select id, webhook_id, secret_encrypted from webhook_secret
where webhook_id = any(${rows.map(({ id }) => id)}::text[]) and ${isUnexpired(sql`expires_at`)}
order by id desc`.execute(database);
  return rows.map((row) =>
    webhookEndpointOf(
      encryption,
      row,
      secrets.filter((secret) => secret.webhookId === row.id),
    ),
  );
}
