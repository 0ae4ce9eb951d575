import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { encryptSigningSecret } from './webhook-endpoint.ts';

const secretBytes = 32;
const formerValidHours = 24;

/** Gives a webhook a new signing secret (Standard Webhooks: `whsec_` and base64); former ones end in 24 hours. */
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
