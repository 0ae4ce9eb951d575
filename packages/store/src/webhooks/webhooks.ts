import { v7 as uuidv7 } from 'uuid';
import { currentTime } from '../database/database.ts';
import { closeDestination, openDestination } from '../destinations/index.ts';
import type { Withdrawal } from '../outbox/withdrawals.ts';
import { decodeIdCursor, pageById } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { addSigningSecret, withSigningSecrets } from './signing-secrets.ts';
import { updateWebhook } from './update-webhook.ts';
import { encryptAuth, type WebhookAuth, type WebhookEndpoint } from './webhook-endpoint.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly auth: WebhookAuth;
  readonly properties: readonly string[];
  /** Whether requests are signed with a secret of this webhook. */
  readonly signing: boolean;
}

/** Omitted fields stay unchanged. */
export type WebhookChange = { readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] | undefined };

export interface WebhookResult {
  readonly endpoint: WebhookEndpoint;
  /** The new signing secret, if one was generated. Cannot be read again. */
  readonly signingSecret?: string | undefined;
}

export interface Webhooks {
  /** Rejects if there is no such pool. */
  create(pool: string, settings: WebhookSettings): Promise<WebhookResult>;
  /** Oldest first. @throws MalformedCursor */
  list(pool: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  get(pool: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** If failures paused its destination, it is probed at once. @throws CredentialsNeeded */
  update(pool: string, id: string, change: WebhookChange): Promise<WebhookResult | undefined>;
  /** Erases its credentials and cancels its waiting messages. @returns false if there is no such webhook */
  remove(pool: string, id: string): Promise<boolean>;
  /** Adds a signing secret. The former one stays valid for 24 hours, in which requests carry both signatures. */
  rotateSecret(pool: string, id: string): Promise<{ signingSecret: string } | undefined>;
  /** The webhook of a destination; undefined once removed. */
  byDestination(destinationId: string): Promise<WebhookEndpoint | undefined>;
}

/**
 * @param onClosed - called after a destination was closed, whose waiting messages are to be cancelled
 * @param onWithdrawn - called after the commit of a change that allows fewer answers to be sent
 */
export function createWebhooks(
  { database, encryption }: StoreContext,
  onClosed: () => void,
  onWithdrawn: (withdrawal: Withdrawal) => void,
): Webhooks {
  async function get(pool: string, id: string): Promise<WebhookEndpoint | undefined> {
    const query = database.selectFrom('webhook').selectAll().where('pool', '=', pool).where('id', '=', id);
    const [endpoint] = await withSigningSecrets(database, encryption, await query.execute());
    return endpoint;
  }
  return {
    get,
    create: (pool, { url, auth, properties, signing }) =>
      database.transaction().execute(async (transaction) => {
        const id = uuidv7();
        const row = await transaction
          .insertInto('webhook')
          .values({
            id,
            pool,
            url,
            auth_encrypted: encryptAuth(encryption, id, auth),
            properties: [...properties],
            destination_id: await openDestination(transaction, { pool, kind: 'guest-webhook' }),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const signingSecret = signing ? await addSigningSecret(transaction, encryption, id) : undefined;
        const [endpoint] = await withSigningSecrets(transaction, encryption, [row]);
        if (endpoint === undefined) throw new Error(`webhook ${id} was created but not found`);
        return { endpoint, signingSecret };
      }),
    async list(pool, { limit, cursor }) {
      let query = database
        .selectFrom('webhook')
        .selectAll()
        .where('pool', '=', pool)
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      const endpoints = await withSigningSecrets(database, encryption, await query.execute());
      return pageById(endpoints, limit);
    },
    async update(pool, id, change) {
      const updated = await database
        .transaction()
        .execute((transaction) => updateWebhook(transaction, encryption, { pool, id, change }));
      if (updated?.narrowed === true) onWithdrawn({ destination: updated.result.endpoint.destinationId });
      return updated?.result;
    },
    async remove(pool, id) {
      const isRemoved = await database.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('webhook')
          .where('pool', '=', pool)
          .where('id', '=', id)
          .returning('destination_id')
          .executeTakeFirst();
        if (row === undefined) return false;
        await closeDestination(transaction, row.destination_id);
        return true;
      });
      if (isRemoved) onClosed();
      return isRemoved;
    },
    rotateSecret: (pool, id) =>
      database.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('webhook')
          .set({ updated_at: currentTime })
          .where('pool', '=', pool)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst();
        return row && { signingSecret: await addSigningSecret(transaction, encryption, id) };
      }),
    async byDestination(destinationId) {
      const query = database.selectFrom('webhook').selectAll().where('destination_id', '=', destinationId);
      const [endpoint] = await withSigningSecrets(database, encryption, await query.execute());
      return endpoint;
    },
  };
}
