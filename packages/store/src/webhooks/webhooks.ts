import type { Encryption, Page, PageRequest } from '@waiver-service/database';
import { currentTime, definedColumns, idOfCursor, pageById, prepared } from '@waiver-service/database';
import {
  closeDestination,
  dispatchWithdrawal,
  narrowPermission,
  openDestination,
  probeSoon,
} from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import {
  addSigningSecret,
  encryptAuth,
  requireCredentialsFor,
  type StoredSigningSecret,
  validSigningSecrets,
  type WebhookAuth,
  type WebhookEndpoint,
  type WebhookRow,
  webhookColumns,
  webhookEndpointOf,
  withSigningSecrets,
} from './webhook-endpoint.ts';

interface WebhookUpdate {
  readonly pool: string;
  readonly id: string;
  readonly change: WebhookChange;
}

/**
 * Changes a webhook. If failures paused its destination, it is probed at once.
 *
 * @returns undefined if there is no such webhook; `narrowed` if fewer answers may be sent to it than before
 * @throws CredentialsNeeded
 */
async function updateWebhook(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  { pool, id, change }: WebhookUpdate,
): Promise<{ readonly result: WebhookResult; readonly narrowed: boolean } | undefined> {
  const { url, auth, properties, signing } = change;
  const found = await sql<WebhookRow>`
select ${webhookColumns} from webhook where pool = ${pool} and id = ${id} for update`.execute(transaction);
  const [former] = found.rows;
  if (former === undefined) return undefined;
  requireCredentialsFor(
    { url: former.url, auth: () => webhookEndpointOf(encryption, former, []).auth },
    change,
  );
  const { assignments } = definedColumns({
    updatedAt: currentTime,
    url,
    authEncrypted: auth && encryptAuth(encryption, id, auth),
    properties,
  });
  const { rows } = await sql<WebhookRow>`
update webhook set ${assignments} where id = ${id} returning ${webhookColumns}`.execute(transaction);
  if (signing === false) {
    await transaction.deleteFrom('webhookSecret').where('webhookId', '=', id).execute();
  }
  const [before] = await withSigningSecrets(transaction, encryption, rows);
  const isMissing = signing === true && before?.signingSecrets.length === 0;
  const signingSecret = isMissing ? await addSigningSecret(transaction, encryption, id) : undefined;
  const [endpoint] = await withSigningSecrets(transaction, encryption, rows);
  if (endpoint === undefined) throw new Error(`webhook ${id} was updated but not found`);
  await probeSoon(transaction, endpoint.destinationId);
  const narrowed = await narrowPermission(transaction, {
    destination: endpoint.destinationId,
    before: former.properties,
    after: endpoint.properties,
  });
  return { result: { endpoint, signingSecret }, narrowed };
}

export interface WebhookSettings {
  readonly url: string;
  readonly auth: WebhookAuth;
  readonly properties: readonly string[];
  /** Whether requests are signed with a secret of this webhook. */
  readonly signing: boolean;
}

/** Omitted fields stay unchanged. */
export type WebhookChange = Partial<WebhookSettings>;

export interface WebhookResult {
  readonly endpoint: WebhookEndpoint;
  /** The new signing secret, if one was generated. Cannot be read again. */
  readonly signingSecret?: string | undefined;
}

/** The maximum number of webhooks per pool: each change of a record is stored as a message for each of them. */
export const maxWebhooksPerPool = 20;

/** The pool has {@link maxWebhooksPerPool} already. */
export class TooManyWebhooks extends Error {
  override readonly name = 'TooManyWebhooks';
}

export interface Webhooks extends ReturnType<typeof createWebhooks> {}

/** @param onClosed called after a destination was closed, to cancel its waiting messages */
export function createWebhooks({ database, encryption, notifications }: StoreContext, onClosed: () => void) {
  async function find(where: RawBuilder<unknown>): Promise<WebhookEndpoint[]> {
    // One prepared statement, because dispatchers read each endpoint every ten seconds.
    const { rows } = await sql<WebhookRow & { readonly secrets: readonly StoredSigningSecret[] }>`${prepared}
select ${webhookColumns}, ${validSigningSecrets(sql`webhook.id`)} as secrets from webhook where ${where}`.execute(
      database,
    );
    return rows.map(({ secrets, ...row }) => webhookEndpointOf(encryption, row, secrets));
  }
  return {
    get: async (pool: string, id: string): Promise<WebhookEndpoint | undefined> =>
      (await find(sql`pool = ${pool} and id = ${id}`))[0],
    /** Rejects if there is no such pool. @throws TooManyWebhooks */
    async create(pool: string, { url, auth, properties, signing }: WebhookSettings): Promise<WebhookResult> {
      return database.transaction().execute(async (transaction) => {
        // One at a time, so that the limit holds.
        await sql`select from pool where id = ${pool} for no key update`.execute(transaction);
        const { rows: counted } = await sql<{ count: number }>`
select count(*)::integer as count from webhook where pool = ${pool}`.execute(transaction);
        if ((counted[0]?.count ?? 0) >= maxWebhooksPerPool) throw new TooManyWebhooks();
        const id = uuidv7();
        const destination = await openDestination(transaction, { pool, kind: 'guest-webhook' });
        const { rows } = await sql<WebhookRow>`
insert into webhook (id, pool, url, auth_encrypted, properties, destination_id)
values (${id}, ${pool}, ${url}, ${encryptAuth(encryption, id, auth)}, ${properties}, ${destination})
returning ${webhookColumns}`.execute(transaction);
        const signingSecret = signing ? await addSigningSecret(transaction, encryption, id) : undefined;
        const [endpoint] = await withSigningSecrets(transaction, encryption, rows);
        if (endpoint === undefined) throw new Error(`webhook ${id} was created but not found`);
        return { endpoint, signingSecret };
      });
    },
    /** Oldest first. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<WebhookEndpoint>> {
      const after = idOfCursor(cursor);
      return pageById(
        await find(sql`pool = ${pool} and id > ${after} order by id limit ${limit + 1}`),
        limit,
      );
    },
    /** If failures paused its destination, it is probed at once. @throws CredentialsNeeded */
    async update(pool: string, id: string, change: WebhookChange): Promise<WebhookResult | undefined> {
      const updated = await database
        .transaction()
        .execute((transaction) => updateWebhook(transaction, encryption, { pool, id, change }));
      if (updated === undefined) return undefined;
      const { narrowed, result } = updated;
      if (narrowed) dispatchWithdrawal(notifications, { destination: result.endpoint.destinationId });
      return result;
    },
    /** Erases its credentials and cancels its waiting messages. @returns false if there is no such webhook */
    async remove(pool: string, id: string): Promise<boolean> {
      const isRemoved = await database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .deleteFrom('webhook')
          .where('pool', '=', pool)
          .where('id', '=', id)
          .returning('destinationId')
          .execute();
        if (rows[0] === undefined) return false;
        await closeDestination(transaction, rows[0].destinationId);
        return true;
      });
      if (!isRemoved) return false;
      onClosed();
      return true;
    },
    /** Adds a signing secret. The previous one stays valid for 24 hours; until then, requests carry both signatures. */
    rotateSecret: (pool: string, id: string): Promise<{ signingSecret: string } | undefined> =>
      database.transaction().execute(async (transaction) => {
        const { numUpdatedRows: numAffectedRows } = await transaction
          .updateTable('webhook')
          .set({ updatedAt: currentTime })
          .where('pool', '=', pool)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (numAffectedRows !== 1n) return undefined;
        return { signingSecret: await addSigningSecret(transaction, encryption, id) };
      }),
    /** The webhook of a destination; undefined once removed. */
    byDestination: async (destination: string): Promise<WebhookEndpoint | undefined> =>
      (await find(sql`destination_id = ${destination}`))[0],
  };
}
