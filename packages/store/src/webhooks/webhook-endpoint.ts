import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WebhookSecretTable, WebhookTable } from '../database/tables-configuration.ts';
import type { EncryptedPlace, Encryption } from '../encryption/encryption.ts';

const authSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('header'), name: z.string(), value: z.string() }),
  z.object({ type: z.literal('basic'), username: z.string(), password: z.string() }),
]);

/** How a webhook shows who it is from (contract 5). */
export type WebhookAuth = z.infer<typeof authSchema>;

/** A receiver of guest webhooks. Its credentials are in clear here and are never to be shown. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly pool: string;
  readonly url: string;
  readonly auth: WebhookAuth;
  /** Answers that go out besides the contract's fields. */
  readonly properties: readonly string[];
  /** Newest first; a request carries a signature of each. Empty where requests are not signed. */
  readonly signingSecrets: readonly string[];
  readonly destinationId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Encrypts a webhook's credentials, for its row. */
export function encryptAuth(encryption: Encryption, id: string, auth: WebhookAuth): string {
  return encryption.encrypt(authPlace(id), JSON.stringify(auth));
}

/** Encrypts a signing secret, for its row. */
export function encryptSigningSecret(encryption: Encryption, id: string, secret: string): string {
  return encryption.encrypt(secretPlace(id), secret);
}

/** A row and its secrets, newest first, as an endpoint. */
export function webhookEndpointOf(
  encryption: Encryption,
  row: Selectable<WebhookTable>,
  secrets: readonly Pick<WebhookSecretTable, 'id' | 'secret_encrypted'>[],
): WebhookEndpoint {
  return {
    id: row.id,
    pool: row.pool,
    url: row.url,
    auth: authSchema.parse(JSON.parse(encryption.decrypt(authPlace(row.id), row.auth_encrypted))),
    properties: row.properties,
    signingSecrets: secrets.map((secret) =>
      encryption.decrypt(secretPlace(secret.id), secret.secret_encrypted),
    ),
    destinationId: row.destination_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const authPlace = (id: string): EncryptedPlace => ({ table: 'webhook', column: 'auth_encrypted', row: [id] });
const secretPlace = (id: string): EncryptedPlace => ({
  table: 'webhook_secret',
  column: 'secret_encrypted',
  row: [id],
});
