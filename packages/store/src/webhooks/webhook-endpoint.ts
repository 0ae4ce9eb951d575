import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WebhookSecretTable, WebhookTable } from '../database/tables-configuration.ts';
import { type EncryptedColumn, type Encryption, locate } from '../encryption/encryption.ts';

const authSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('header'), name: z.string(), value: z.string() }),
  z.object({ type: z.literal('basic'), username: z.string(), password: z.string() }),
]);

/** How a webhook request authenticates to its receiver (contract 5). */
export type WebhookAuth = z.infer<typeof authSchema>;

/** Reads what was stored as JSON. */
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

/** For `auth_encrypted`. */
export function encryptAuth(encryption: Encryption, id: string, auth: WebhookAuth): string {
  return encryption.encrypt(locate(authColumn, id), JSON.stringify(auth));
}

/** For `secret_encrypted`. */
export function encryptSigningSecret(encryption: Encryption, id: string, secret: string): string {
  return encryption.encrypt(locate(signingSecretColumn, id), secret);
}

/** @param secrets - newest first. @throws CannotDecrypt */
export function webhookEndpointOf(
  encryption: Encryption,
  row: Selectable<WebhookTable>,
  secrets: readonly Pick<WebhookSecretTable, 'id' | 'secret_encrypted'>[],
): WebhookEndpoint {
  return {
    id: row.id,
    pool: row.pool,
    url: row.url,
    auth: parseAuth(encryption.decrypt(locate(authColumn, row.id), row.auth_encrypted)),
    properties: row.properties,
    signingSecrets: secrets.map((secret) =>
      encryption.decrypt(locate(signingSecretColumn, secret.id), secret.secret_encrypted),
    ),
    destinationId: row.destination_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The authentication of requests to a receiver. */
export const authColumn = {
  table: 'webhook',
  column: 'auth_encrypted',
  key: ['id'],
} as const satisfies EncryptedColumn;

/** The signing secrets. */
export const signingSecretColumn = {
  table: 'webhook_secret',
  column: 'secret_encrypted',
  key: ['id'],
} as const satisfies EncryptedColumn;
