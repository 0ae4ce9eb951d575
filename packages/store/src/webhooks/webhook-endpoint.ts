import { randomBytes } from 'node:crypto';
import { type Encryption, locate } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { isUnexpired } from '../keys/secret.ts';

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
    .values({
      id,
      webhookId,
      secretEncrypted: encryption.encrypt(locate(encryptedColumns.webhookSigningSecret, id), secret),
    })
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

/** A change of address would send the stored credentials elsewhere, so they must be given again. */
export class CredentialsNeeded extends Error {
  override readonly name = 'CredentialsNeeded';

  constructor() {
    super('give the credentials again, since the address changed: {"type":"none"} for none');
  }
}

/**
 * A person who changes an address may not know the stored credentials, and could have them sent to another receiver, even
 * on the same host, which receivers of different people may share.
 *
 * @throws CredentialsNeeded if stored credentials would be sent to another address
 */
export function requireCredentialsFor(
  former: { readonly url: string; auth(): WebhookAuth },
  { url, auth }: { readonly url?: string | undefined; readonly auth?: WebhookAuth | undefined },
): void {
  if (url === undefined || auth !== undefined || new URL(url).href === new URL(former.url).href) return;
  if (former.auth().type !== 'none') throw new CredentialsNeeded();
}
