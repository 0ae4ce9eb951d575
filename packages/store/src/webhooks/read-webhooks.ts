import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../database/database.ts';
import type { WebhookTable } from '../database/tables-configuration.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { type WebhookEndpoint, webhookEndpointOf } from './webhook-endpoint.ts';

/** Adds to rows of webhooks the secrets that are valid now. */
export async function withSecrets(
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
