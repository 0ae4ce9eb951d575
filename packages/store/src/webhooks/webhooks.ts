import { v7 as uuidv7 } from 'uuid';
import { currentTime } from '../database/database.ts';
import { closeDestination, openDestination } from '../destinations/index.ts';
import type { Withdrawal } from '../outbox/withdrawals.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { withSecrets } from './read-webhooks.ts';
import { addSigningSecret } from './signing-secrets.ts';
import { updateWebhook } from './update-webhook.ts';
import { encryptAuth, type WebhookAuth, type WebhookEndpoint } from './webhook-endpoint.ts';

/** A webhook as an operator sets it. */
export interface WebhookSettings {
  readonly url: string;
  readonly auth: WebhookAuth;
  readonly properties: readonly string[];
  /** Whether requests carry a signature of a secret of the webhook's own. */
  readonly signing: boolean;
}

/** A change of a webhook; what is left out stays as it is. */
export type WebhookChange = { readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] | undefined };

/** A webhook that was set. */
export interface WebhookResult {
  readonly endpoint: WebhookEndpoint;
  /** A signing secret that was made just now; shown only here. */
  readonly signingSecret?: string;
}

/** The receivers of guest webhooks. */
export interface Webhooks {
  /** Rejects where there is no such pool. */
  create(pool: string, settings: WebhookSettings): Promise<WebhookResult>;
  /** Oldest first. @throws MalformedCursor */
  list(pool: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  get(pool: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** Where failures had paused it, it is probed at once. */
  update(pool: string, id: string, change: WebhookChange): Promise<WebhookResult | undefined>;
  /** Its credentials are erased, what waited for it is cancelled. False where there is none. */
  remove(pool: string, id: string): Promise<boolean>;
  /** A new signing secret; the former one stays valid for 24 hours, in which both sign. */
  rotateSecret(pool: string, id: string): Promise<{ signingSecret: string } | undefined>;
  /** The webhook that a destination stands for; undefined once it was removed. */
  byDestination(destinationId: string): Promise<WebhookEndpoint | undefined>;
}

/**
 * Makes the part of the store that holds webhooks.
 *
 * @param onClosed told after a destination was closed: what waits for it is to be cancelled.
 * @param onWithdrawn told after it was committed that fewer answers may leave.
 */
export function createWebhooks(
  { database, encryption }: StoreContext,
  onClosed: () => void,
  onWithdrawn: (withdrawal: Withdrawal) => void,
): Webhooks {
  async function get(pool: string, id: string): Promise<WebhookEndpoint | undefined> {
    const query = database.selectFrom('webhook').selectAll().where('pool', '=', pool).where('id', '=', id);
    const [endpoint] = await withSecrets(database, encryption, await query.execute());
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
        const added = signing ? { signingSecret: await addSigningSecret(transaction, encryption, id) } : {};
        const [endpoint] = await withSecrets(transaction, encryption, [row]);
        if (endpoint === undefined) throw new Error('a webhook was written and is not there');
        return { endpoint, ...added };
      }),
    async list(pool, { limit, cursor }) {
      let query = database
        .selectFrom('webhook')
        .selectAll()
        .where('pool', '=', pool)
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      const endpoints = await withSecrets(database, encryption, await query.execute());
      return pageOf(
        endpoints,
        limit,
        ({ id }) => [id],
        (endpoint) => endpoint,
      );
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
      const [endpoint] = await withSecrets(database, encryption, await query.execute());
      return endpoint;
    },
  };
}
