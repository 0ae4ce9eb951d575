import { type Encryption, locate } from '@waiver-service/database';
import { sql } from 'kysely';
import { z } from 'zod';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';

const authSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('header'), name: z.string(), value: z.string() }),
  z.object({ type: z.literal('basic'), username: z.string(), password: z.string() }),
]);

/** How a webhook request authenticates to its receiver (contract 5). */
export type WebhookAuth = z.infer<typeof authSchema>;

/** Parses the stored JSON. */
export const parseAuth = (json: string): WebhookAuth => authSchema.parse(JSON.parse(json));

/** A receiver of guest webhooks, with decrypted credentials. Never show them. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly pool: string;
  readonly url: string;
  readonly auth: WebhookAuth;
  /** Answers that a message holds besides the contract's fields. */
  readonly properties: readonly string[];
  /** Newest first. A request carries one signature per secret; none if empty. */
  readonly signingSecrets: readonly string[];
  readonly destinationId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row of {@link webhookColumns}. */
export interface WebhookRow extends Omit<WebhookEndpoint, 'auth' | 'signingSecrets'> {
  readonly authEncrypted: string;
}

export const webhookColumns = sql`id, pool, url, properties, destination_id,
  created_at, updated_at, auth_encrypted`;

/** For `auth_encrypted`. */
export function encryptAuth(encryption: Encryption, id: string, auth: WebhookAuth): string {
  return encryption.encrypt(locate(encryptedColumns.webhookAuth, id), JSON.stringify(auth));
}

/** For `secret_encrypted`. */
export function encryptSigningSecret(encryption: Encryption, id: string, secret: string): string {
  return encryption.encrypt(locate(encryptedColumns.webhookSigningSecret, id), secret);
}

/** A valid signing secret of a webhook. */
export interface StoredSigningSecret {
  readonly id: string;
  readonly secretEncrypted: string;
}

/** @param secrets - newest first. @throws CannotDecrypt */
export function webhookEndpointOf(
  encryption: Encryption,
  { authEncrypted, ...row }: WebhookRow,
  secrets: readonly StoredSigningSecret[],
): WebhookEndpoint {
  return {
    ...row,
    auth: parseAuth(encryption.decrypt(locate(encryptedColumns.webhookAuth, row.id), authEncrypted)),
    signingSecrets: secrets.map((secret) =>
      encryption.decrypt(locate(encryptedColumns.webhookSigningSecret, secret.id), secret.secretEncrypted),
    ),
  };
}
