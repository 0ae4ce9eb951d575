import { randomBytes } from 'node:crypto';
import type { Encryption } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { isUnexpired } from '../keys/key-info.ts';
import {
  encryptSigningSecret,
  type StoredSigningSecret,
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

/** The valid signing secrets of a webhook, newest first. */
export const validSigningSecrets = (
  webhook: RawBuilder<string>,
): RawBuilder<readonly StoredSigningSecret[]> => sql`
(select coalesce(json_agg(json_build_object('id', s.id, 'secretEncrypted', s.secret_encrypted) order by s.id desc), '[]')
from webhook_secret s where s.webhook_id = ${webhook} and ${isUnexpired(sql`s.expires_at`)})`;

/** Decrypts webhooks with their valid signing secrets. @throws CannotDecrypt */
export async function withSigningSecrets(
  database: Database,
  encryption: Encryption,
  rows: readonly WebhookRow[],
): Promise<WebhookEndpoint[]> {
  if (rows.length === 0) return [];
  const { rows: found } = await sql<{ id: string; secrets: readonly StoredSigningSecret[] }>`
select w.id, ${validSigningSecrets(sql`w.id`)} as secrets
from unnest(${rows.map(({ id }) => id)}::text[]) w (id)`.execute(database);
  return rows.map((row) =>
    webhookEndpointOf(encryption, row, found.find(({ id }) => id === row.id)?.secrets ?? []),
  );
}
