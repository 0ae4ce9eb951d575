import { type AlertEvent, maxAlerts, maxAlertsPerPool } from '@waiver-service/api';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { currentTime, type Database, type DatabaseTransaction } from '../database/database.ts';
import { definedColumns } from '../database/defined-columns.ts';
import { closeDestination } from '../destinations/close-destination.ts';
import { openDestination, probeSoon } from '../destinations/open-destination.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { locate } from '../encryption/encryption.ts';
import { type AlertOccurrence, noteOccurrence } from '../outbox/alert-occurrences.ts';
import { idAfter, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { requireCredentialsFor } from '../webhooks/kept-credentials.ts';
import { newSigningSecret } from '../webhooks/signing-secrets.ts';
import type { WebhookAuth } from '../webhooks/webhook-endpoint.ts';
import { type Alert, type AlertRow, alertOf } from './alert.ts';
import { listSentAlerts, type SentAlert } from './sent-alerts.ts';

/** There are {@link maxAlerts} for all pools already, or {@link maxAlertsPerPool} for one of the given pools. */
export class TooManyAlerts extends Error {
  override readonly name = 'TooManyAlerts';
  /** The pool whose limit is reached; null if it is the limit for all pools. */
  readonly pool: string | null;

  constructor(pool: string | null) {
    super('there are as many alerts as there may be');
    this.pool = pool;
  }
}

interface CommonSettings {
  readonly name: string;
  readonly events: readonly AlertEvent[];
  /** Null: all pools, and events that belong to none. */
  readonly pools: readonly string[] | null;
}

/** An alert to create. */
export type AlertSettings = CommonSettings &
  (
    | { readonly url: string; readonly auth: WebhookAuth; readonly signing: boolean }
    | { readonly email: string }
  );

/** Omitted fields stay unchanged. The caller ensures that the fields fit the alert's kind. */
export interface AlertChange
  extends Partial<{ readonly [Name in keyof CommonSettings]: CommonSettings[Name] | undefined }> {
  readonly url?: string | undefined;
  readonly auth?: WebhookAuth | undefined;
  readonly signing?: boolean | undefined;
  readonly email?: string | undefined;
}

export interface AlertResult {
  readonly alert: Alert;
  /** The new signing secret, if one was generated. Cannot be read again. */
  readonly signingSecret?: string | undefined;
}

/** Alerts for operators: their receivers, and the alerts sent. */
export interface Alerts {
  /** @throws TooManyAlerts */
  create(settings: AlertSettings): Promise<AlertResult>;
  /** Oldest first; only those that are limited to some of `pools` if given. @throws MalformedCursor */
  list(page: PageRequest, pools?: readonly string[]): Promise<Page<Alert>>;
  get(id: string): Promise<Alert | undefined>;
  /** If failures paused its destination, it is probed at once. @throws CredentialsNeeded, TooManyAlerts */
  update(id: string, change: AlertChange): Promise<AlertResult | undefined>;
  /** Erases its secrets and cancels its waiting messages. @returns false if there is no such alert */
  remove(id: string): Promise<boolean>;
  /** The alert of a destination; undefined once removed. */
  byDestination(destinationId: string): Promise<Alert | undefined>;
  /**
   * The alerts that were sent, newest first; only of `pools`, and by alerts that are limited to some of them, if given.
   *
   * @throws MalformedCursor
   */
  listSent(page: PageRequest, pools?: readonly string[]): Promise<Page<SentAlert>>;
  /** Stores an event to alert about, if any alert is configured. */
  note(occurrence: AlertOccurrence): Promise<void>;
}

const columns = sql`a.id, a.name, a.url, a.auth_encrypted, a.signing_secret_encrypted, a.email, a.events, a.pools,
  a.destination_id as "destinationId", d.status, d.consecutive_failures as "consecutiveFailures",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;
const destinationOfAlert = sql`join destination d on d.id = a.destination_id`;

/**
 * Creates the part of the store for alerts.
 *
 * @param onClosed - called after an alert was removed, to cancel its waiting messages
 */
export function createAlerts({ database, encryption }: StoreContext, onClosed: () => void): Alerts {
  async function getBy(
    connection: Database,
    column: 'id' | 'destination_id',
    id: string,
  ): Promise<Alert | undefined> {
    const { rows } = await sql<AlertRow>`
select ${columns} from alert a ${destinationOfAlert} where ${sql.ref(`a.${column}`)} = ${id}`.execute(
      connection,
    );
    return rows[0] && alertOf(encryption, rows[0]);
  }

  async function existing(transaction: DatabaseTransaction, id: string): Promise<Alert> {
    const alert = await getBy(transaction, 'id', id);
    if (alert === undefined) throw new Error(`alert ${id} was written but not found`);
    return alert;
  }

  const encryptedAuth = (id: string, auth: WebhookAuth) =>
    encryption.encrypt(locate(encryptedColumns.alertAuth, id), JSON.stringify(auth));
  const encryptedSecret = (id: string, secret: string) =>
    encryption.encrypt(locate(encryptedColumns.alertSigningSecret, id), secret);

  return {
    get: (id) => getBy(database, 'id', id),
    byDestination: (destination) => getBy(database, 'destination_id', destination),
    create: (settings) =>
      database.transaction().execute(async (transaction) => {
        const id = uuidv7();
        await requireRoom(transaction, id, settings.pools);
        const isWebhook = 'url' in settings;
        const signingSecret = isWebhook && settings.signing ? newSigningSecret() : undefined;
        const { names, values } = definedColumns({
          id,
          name: settings.name,
          url: isWebhook ? settings.url : null,
          auth_encrypted: isWebhook ? encryptedAuth(id, settings.auth) : null,
          signing_secret_encrypted: signingSecret && encryptedSecret(id, signingSecret),
          email: isWebhook ? null : settings.email,
          events: settings.events,
          pools: settings.pools,
          destination_id: await openDestination(transaction, { pool: '', kind: 'alert' }),
        });
        await sql`insert into alert (${names}) values (${values})`.execute(transaction);
        return { alert: await existing(transaction, id), signingSecret };
      }),
    async list({ limit, cursor }, pools) {
      const after = idAfter(cursor);
      const { rows } = await sql<AlertRow>`
select ${columns} from alert a ${destinationOfAlert}
where a.id > ${after} and ${withinPools(pools)}
order by a.id limit ${limit + 1}::integer`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ id }) => [id],
        (row) => alertOf(encryption, row),
      );
    },
    update: (id, change) =>
      database.transaction().execute(async (transaction) => {
        if (change.pools !== undefined) await requireRoom(transaction, id, change.pools);
        await sql`select from alert where id = ${id} for update`.execute(transaction);
        const former = await getBy(transaction, 'id', id);
        if (former === undefined) return undefined;
        const { target } = former;
        if (target.kind === 'webhook')
          requireCredentialsFor({ url: target.url, auth: () => target.auth }, change);
        const { url, auth, signing, email, name, events, pools } = change;
        const isSigned = target.kind === 'webhook' && target.signingSecrets.length > 0;
        const signingSecret = signing === true && !isSigned ? newSigningSecret() : undefined;
        const secret = signingSecret && encryptedSecret(id, signingSecret);
        const { assignments } = definedColumns({
          updated_at: currentTime,
          name,
          url,
          email,
          auth_encrypted: auth && encryptedAuth(id, auth),
          signing_secret_encrypted: signing === false ? null : secret,
          events,
          pools,
        });
        await sql`update alert set ${assignments} where id = ${id}`.execute(transaction);
        await probeSoon(transaction, former.destinationId);
        return { alert: await existing(transaction, id), signingSecret };
      }),
    async remove(id) {
      const isRemoved = await database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ destination_id: string }>`
delete from alert where id = ${id} returning destination_id`.execute(transaction);
        if (rows[0] === undefined) return false;
        await closeDestination(transaction, rows[0].destination_id);
        return true;
      });
      if (isRemoved) onClosed();
      return isRemoved;
    },
    listSent: (page, pools) => listSentAlerts(database, page, toldWithin(pools)),
    note: (occurrence) => noteOccurrence(database, occurrence),
  };
}

/** @throws TooManyAlerts if these pools have no room for another alert */
async function requireRoom(
  transaction: DatabaseTransaction,
  id: string,
  pools: readonly string[] | null,
): Promise<void> {
  // One at a time, so that the limits hold.
  await sql`lock table alert in share row exclusive mode`.execute(transaction);
  const { rows } = await sql<{ pool: string | null }>`
select w.pool from unnest(${pools === null ? [null] : [...pools]}::text[]) w (pool)
where case when w.pool is null
  then (select count(*) from alert a where a.pools is null and a.id <> ${id}) >= ${maxAlerts}::integer
  else (select count(*) from alert a where w.pool = any (a.pools) and a.id <> ${id}) >= ${maxAlertsPerPool}::integer end
limit 1`.execute(transaction);
  if (rows[0] !== undefined) throw new TooManyAlerts(rows[0].pool);
}

/** Whether an alert `a` is limited to some of these pools; `undefined` means all. */
const withinPools = (pools: readonly string[] | undefined) =>
  pools === undefined ? sql<boolean>`true` : sql<boolean>`a.pools <@ ${[...pools]}::text[]`;

/**
 * Whether the alert `s` that `a` sent is about one of these pools. Before `a` was limited to them, it may have sent
 * alerts about others.
 */
const toldWithin = (pools: readonly string[] | undefined) =>
  pools === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(${withinPools(pools)} and s.pool = any (${[...pools]}::text[]))`;
