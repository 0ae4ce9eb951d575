import { randomBytes } from 'node:crypto';
import type { Encryption } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
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
  await transaction
    .deleteFrom('webhookSecret')
    .where('webhookId', '=', webhookId)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
  await transaction
    .updateTable('webhookSecret')
    .set({ expiresAt: sql<Date>`least(expires_at, now() + ${formerValidHours} * interval '1 hour')` })
    .where('webhookId', '=', webhookId)
    .execute();
  const id = uuidv7();
  const secret = newSigningSecret();
  await transaction
    .insertInto('webhookSecret')
    .values({ id, webhookId, secretEncrypted: encryptSigningSecret(encryption, id, secret) })
    .execute();
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
