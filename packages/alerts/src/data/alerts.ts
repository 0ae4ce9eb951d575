import {
  type AlertEvent,
  alertEvents,
  maxAlerts,
  maxAlertsPerPool,
  type SentAlert,
} from '@waiver-service/api';
import {
  currentTime,
  decodeUuidCursor,
  definedColumns,
  type Encryption,
  idOfCursor,
  locate,
  omitNulls,
  type Page,
  type PageRequest,
  pageById,
  pageOf,
  type RowOf,
} from '@waiver-service/database';
import {
  closeDestination,
  openDestination,
  probeSoon,
  shownState,
  stateOfDelivery,
} from '@waiver-service/outbox';
import type { DestinationStatus, Store, WebhookAuth } from '@waiver-service/store';
import {
  type Database,
  type DatabaseTransaction,
  newSigningSecret,
  parseAuth,
  requireCredentialsFor,
  type StoreContext,
} from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { encryptedColumns } from './tables.ts';

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

/** Where alerts are sent, with decrypted secrets. Never show them. */
export type AlertTarget =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly auth: WebhookAuth;
      /** One, or none. */
      readonly signingSecrets: readonly string[];
    }
  | { readonly kind: 'email'; readonly email: string };

/** A receiver of alerts, and its events. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly target: AlertTarget;
  readonly events: readonly AlertEvent[];
  /** Null: all pools, and events that belong to none. */
  readonly pools: readonly string[] | null;
  readonly destinationId: string;
  /** Whether its receiver takes alerts. */
  readonly status: DestinationStatus;
  readonly consecutiveFailures: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An alert to create: to a URL, with `auth`, or to a mail address. The caller ensures that it has one of them. */
export interface AlertSettings extends Pick<Alert, 'name' | 'events' | 'pools'> {
  readonly url?: string | undefined;
  readonly auth?: WebhookAuth | undefined;
  readonly signing?: boolean | undefined;
  readonly email?: string | undefined;
}

/** Omitted fields stay unchanged. The caller ensures that the fields fit the alert's kind. */
export type AlertChange = Partial<AlertSettings>;

/** An alert, and its signing secret if one was generated, which cannot be read again. */
export interface ChangedAlert {
  readonly alert: Alert;
  readonly signingSecret: string | undefined;
}

interface AlertRow extends Omit<Alert, 'target' | 'events'> {
  readonly events: readonly string[];
  readonly url: string | null;
  readonly authEncrypted: string | null;
  readonly signingSecretEncrypted: string | null;
  readonly email: string | null;
}

const columns = sql`a.id, a.name, a.url, a.auth_encrypted, a.signing_secret_encrypted, a.email, a.events, a.pools,
  a.destination_id, d.status, d.consecutive_failures,
  a.created_at, a.updated_at`;
const destinationOfAlert = sql`join destination d on d.id = a.destination_id`;

const isEvent = (name: string): name is AlertEvent => alertEvents.some((event) => event === name);

/** @throws CannotDecrypt */
function alertOf(encryption: Encryption, row: AlertRow): Alert {
  const { url, authEncrypted: auth, signingSecretEncrypted: secret, email, ...alert } = row;
  const targetOf = (): AlertTarget => {
    if (email !== null) return { kind: 'email', email };
    if (url === null || auth === null)
      throw new Error(`alert ${row.id} has neither a URL nor a mail address`);
    const { auth: ofAuth, signingSecret: ofSecret } = encryptedColumns;
    return {
      kind: 'webhook',
      url,
      auth: parseAuth(encryption.decrypt(locate(ofAuth, row.id), auth)),
      signingSecrets: secret === null ? [] : [encryption.decrypt(locate(ofSecret, row.id), secret)],
    };
  };
  return { ...alert, target: targetOf(), events: row.events.filter(isEvent) };
}

/**
 * Alerts to operators: their receivers, and the alerts sent.
 *
 * Locks: the alert's destination, then the alert, as in `raiseAlerts`.
 *
 * @param onClosed - called after an alert was removed, to cancel its waiting messages
 */
function createAlerts({ database, encryption }: StoreContext, onClosed: () => void) {
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
    encryption.encrypt(locate(encryptedColumns.auth, id), JSON.stringify(auth));
  const encryptedSecret = (id: string, secret: string) =>
    encryption.encrypt(locate(encryptedColumns.signingSecret, id), secret);

  return {
    get: (id: string) => getBy(database, 'id', id),
    /** The alert of a destination; undefined once removed. */
    byDestination: (destination: string) => getBy(database, 'destination_id', destination),
    /** @throws TooManyAlerts */
    create: ({ name, url, auth, signing, email, events, pools }: AlertSettings): Promise<ChangedAlert> =>
      database.transaction().execute(async (transaction) => {
        const id = uuidv7();
        await requireRoom(transaction, id, pools);
        const signingSecret = signing ? newSigningSecret() : undefined;
        const { names, values } = definedColumns({
          id,
          name,
          url,
          authEncrypted: auth && encryptedAuth(id, auth),
          signingSecretEncrypted: signingSecret && encryptedSecret(id, signingSecret),
          email,
          events,
          pools,
          destinationId: await openDestination(transaction, { pool: '', kind: 'alert' }),
        });
        await sql`insert into alert (${names}) values (${values})`.execute(transaction);
        return { alert: await existing(transaction, id), signingSecret };
      }),
    /** Oldest first; only those that are limited to some of `pools` if given. @throws MalformedCursor */
    async list({ limit, cursor }: PageRequest, pools?: readonly string[]): Promise<Page<Alert>> {
      const after = idOfCursor(cursor);
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
    /** If failures paused its destination, it is probed at once. @throws CredentialsNeeded, TooManyAlerts */
    update: (id: string, change: AlertChange): Promise<ChangedAlert | undefined> =>
      database.transaction().execute(async (transaction) => {
        if (change.pools !== undefined) await requireRoom(transaction, id, change.pools);
        const found = await getBy(transaction, 'id', id);
        if (found === undefined) return undefined;
        await probeSoon(transaction, found.destinationId);
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
          updatedAt: currentTime,
          name,
          url,
          email,
          authEncrypted: auth && encryptedAuth(id, auth),
          signingSecretEncrypted: signing === false ? null : secret,
          events,
          pools,
        });
        await sql`update alert set ${assignments} where id = ${id}`.execute(transaction);
        return { alert: await existing(transaction, id), signingSecret };
      }),
    /** Erases its secrets and cancels its waiting messages. @returns false if there is no such alert */
    async remove(id: string): Promise<boolean> {
      const isRemoved = await database.transaction().execute(async (transaction) => {
        const { rows: found } = await sql<{ destination: string }>`
select destination_id as destination from alert where id = ${id}`.execute(transaction);
        if (found[0] === undefined) return false;
        await closeDestination(transaction, found[0].destination);
        const { rows } = await sql`delete from alert where id = ${id} returning 1`.execute(transaction);
        return rows.length > 0;
      });
      if (isRemoved) onClosed();
      return isRemoved;
    },
    /**
     * The alerts that were sent, newest first. If `pools` are given, only those about one of them, of alerts that are
     * limited to some of them: before that, an alert may have been about others.
     *
     * @throws MalformedCursor
     */
    async listSent({ limit, cursor }: PageRequest, pools?: readonly string[]): Promise<Page<SentAlert>> {
      const before = decodeUuidCursor(cursor);
      const position = before === undefined ? sql`true` : sql`s.id < ${before}::uuid`;
      const isOfPools = pools === undefined ? sql`true` : sql`s.pool = any (${[...pools]}::text[])`;
      const { rows } = await sql<RowOf<SentAlert>>`
select s.id, s.alert, a.name as alert_name, s.event as type, s.at, s.pool, s.destination, s.message,
  s.left_out, ${shownState} as state
from sent_alert s join alert a on a.id = s.alert
join delivery d on d.id = s.id and d.pool = '' ${stateOfDelivery}
where ${position} and ${withinPools(pools)} and ${isOfPools}
order by s.id desc limit ${limit + 1}::integer`.execute(database);
      const sent = rows.map((row) => omitNulls(row, 'pool', 'destination'));
      return pageById(sent, limit);
    },
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
  pools === undefined ? sql`true` : sql`a.pools <@ ${[...pools]}::text[]`;

/** The store with alerts. */
export interface AlertStore extends Store {
  readonly alerts: ReturnType<typeof createAlerts>;
}
export const AlertStore: ServiceIdentifier<AlertStore> = Symbol('AlertStore');

export function openAlertStore(store: Store): AlertStore {
  return { ...store, alerts: createAlerts(store.context, store.wake) };
}
