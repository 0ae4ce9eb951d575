import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { currentTime, type Database } from '../database/database.ts';
import type { VendorWebhookTable } from '../database/tables-configuration.ts';
import { type EncryptedColumn, type Encryption, locate } from '../encryption/encryption.ts';
import type { EventChannel } from '../events/event-channel.ts';
import { accountIdOf, type Installation } from '../installations/installation.ts';
import { issueWebhookKey } from '../keys/pool-keys.ts';
import { changesMovingPools, isFrozen, isMoving, mayChangeMovingPools } from '../moves/moving-pools.ts';
import type { StoreContext } from '../store-context.ts';
import { announceDueWebhooks, dueWebhooksChannelName } from './due-webhooks.ts';

// The states of an installation's webhooks at the vendor:
//
//   (none)      --install--> registering
//   registering --attempt--> registered, failing, or off where the plugin does not use them
//   registered, failing, off --reinstall, another base URL, other settings, the vendor's other address--> registering
//   registered  --the daily attempt fails--> failing --an attempt succeeds--> registered
//   any         --uninstall--> removing, with a copy of the account --removed, or given up--> (none)
//
// A pending installation stays in `registering`. Attempts are made under a lease, by one host at a time.

/** The state of webhooks as an operator sees it. */
export interface WebhookRegistration {
  readonly state: 'registering' | 'registered' | 'failing';
  /** When they were last found or made to be in order. */
  readonly registeredAt?: Date;
  readonly lastFailure?: { readonly at: Date; readonly code: string; readonly message: string };
}

/** The access that removing webhooks of a former installation takes. */
export type RemovalAccess = Pick<Installation, 'account' | 'baseUrl' | 'environment'>;

/** Webhooks that are to be registered, checked or removed. */
export interface DueWebhooks {
  readonly destination: string;
  readonly pool: string;
  readonly bookingSystem: string;
  /** Where they may be registered by now: below which addresses, with which key. */
  readonly registered: { readonly key: string; readonly baseUrls: readonly string[] } | undefined;
  /** After an uninstall: where and for which account to remove them, and until when to try. */
  readonly removal: { readonly access: RemovalAccess; readonly giveUpAt: Date } | undefined;
  /** Including this one. */
  readonly attempts: number;
  readonly request: number;
}

type DueInstallation = Pick<DueWebhooks, 'destination' | 'pool' | 'bookingSystem'>;

/** Where webhooks are to be registered. */
export interface WebhookAddress {
  /** The app pool key in the address. */
  readonly key: string;
  /** Below which address the vendor is to call. */
  readonly baseUrl: string;
  /** Below which others they may be registered. */
  readonly formerBaseUrls: readonly string[];
}

/** The result of an attempt; `waitMs` is until the next one. */
export type WebhookAttempt =
  | { readonly outcome: 'registered' | 'off'; readonly waitMs: number }
  | {
      readonly outcome: 'failed';
      readonly waitMs: number;
      readonly code: string;
      readonly message: string;
    }
  /** There is nothing left to do. */
  | { readonly outcome: 'removed' };

/** The webhooks that the service registers at vendors. */
export interface VendorWebhooks {
  /** Calls back when a host has made some due at once, or may have. */
  onDue(listener: () => void): void;
  /** Sets the address below which vendors call; if it is another one than before, all webhooks are registered anew. */
  setBaseUrl(baseUrl: string): Promise<void>;
  /** Has the webhooks of a booking system's installations checked, after its settings changed. */
  checkSoon(bookingSystem: string): Promise<void>;
  /** Claims what is due of these booking systems, once a host has set the base URL. @throws CannotDecrypt */
  claim(request: {
    readonly bookingSystems: readonly string[];
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<DueWebhooks[]>;
  /**
   * Notes where webhooks are about to be registered, before the vendor is called: if the record of it is lost, they are
   * found again. Undefined if they are not to be registered any more.
   */
  begin(webhooks: DueInstallation): Promise<WebhookAddress | undefined>;
  /** Records an attempt, unless something changed meanwhile: then the next one is due at once. */
  finish(webhooks: Pick<DueWebhooks, 'destination' | 'request'>, attempt: WebhookAttempt): Promise<void>;
  /** Gives an attempt up that was cut short: another host may make it at once. */
  release(webhooks: Pick<DueWebhooks, 'destination'>): Promise<void>;
}

/** The key in the address of registered webhooks. */
export const webhookKeyColumn = {
  table: 'vendor_webhook',
  column: 'key_encrypted',
  key: ['destination'],
} as const satisfies EncryptedColumn;

/** The account to remove webhooks with after an uninstall. */
export const removalAccountColumn = {
  table: 'vendor_webhook',
  column: 'account_encrypted',
  key: ['destination'],
} as const satisfies EncryptedColumn;

const removalSchema = z.object({
  accountId: z.string(),
  accountIdIsNumber: z.boolean(),
  apiKey: z.string(),
  information: z.record(z.string(), z.unknown()),
  baseUrl: z.string().nullable(),
  environment: z.enum(['live', 'test']).nullable(),
});

/** For `account_encrypted`. */
export function encryptRemovalAccess(
  encryption: Encryption,
  destination: string,
  { account: { accountId, apiKey, information }, baseUrl, environment }: RemovalAccess,
): string {
  const accountIdIsNumber = typeof accountId === 'number';
  const access = {
    accountId: String(accountId),
    accountIdIsNumber,
    apiKey,
    information,
    baseUrl,
    environment,
  };
  return encryption.encrypt(locate(removalAccountColumn, destination), JSON.stringify(access));
}

function decryptRemovalAccess(encryption: Encryption, destination: string, encrypted: string): RemovalAccess {
  const plain = encryption.decrypt(locate(removalAccountColumn, destination), encrypted);
  const { accountId, accountIdIsNumber, apiKey, information, ...address } = removalSchema.parse(
    JSON.parse(plain),
  );
  return {
    account: { accountId: accountIdOf(accountId, accountIdIsNumber), apiKey, information },
    ...address,
  };
}

const maxMessageLength = 500;

async function setBaseUrl(database: Database, baseUrl: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await changesMovingPools.execute(transaction);
    await sql`
with changed as (
  insert into inbound_base_url (base_url) values (${baseUrl})
  on conflict (id) do update set base_url = excluded.base_url
  where inbound_base_url.base_url <> excluded.base_url
  returning base_url)
update vendor_webhook set due_at = now(), attempts = 0, request = request + 1,
  state = case when state = 'off' then state else 'registering' end
where state <> 'removing' and exists (select from changed)`.execute(transaction);
  });
  await announceDueWebhooks(database);
}

async function claim(
  { database, encryption }: StoreContext,
  { bookingSystems, limit, leaseMs }: Parameters<VendorWebhooks['claim']>[0],
): Promise<DueWebhooks[]> {
  const { rows } = await sql<Selectable<VendorWebhookTable>>`
with due as (
  select w.destination from vendor_webhook w
  left join installation i on i.destination_id = w.destination
  where w.due_at <= now() and w.leased_until <= now() and w.booking_system = any(${[...bookingSystems]}::text[])
    and (w.state = 'removing' or i.status = 'installed') and exists (select from inbound_base_url)
    and not ${isMoving(sql`w.pool`)}
  order by w.due_at limit ${limit}::integer for update of w skip locked)
update vendor_webhook w set attempts = w.attempts + 1,
  leased_until = now() + ${leaseMs}::double precision * interval '1 millisecond'
from due where w.destination = due.destination
returning w.*`.execute(database);
  return rows.map((row) => {
    const { destination, key_encrypted: key, account_encrypted: account, give_up_at: giveUpAt } = row;
    return {
      destination,
      pool: row.pool,
      bookingSystem: row.booking_system,
      registered:
        key === null
          ? undefined
          : {
              key: encryption.decrypt(locate(webhookKeyColumn, destination), key),
              baseUrls: row.base_urls,
            },
      removal:
        account === null || giveUpAt === null
          ? undefined
          : { access: decryptRemovalAccess(encryption, destination, account), giveUpAt },
      attempts: row.attempts,
      request: row.request,
    };
  });
}

function begin(
  { database, encryption, cell }: StoreContext,
  { destination, pool, bookingSystem }: DueInstallation,
): Promise<WebhookAddress | undefined> {
  return database.transaction().execute(async (transaction) => {
    // Installation first, as an uninstall does.
    await sql`
select from installation where pool = ${pool} and booking_system = ${bookingSystem} for key share`.execute(
      transaction,
    );
    const row = await transaction
      .selectFrom('vendor_webhook')
      .innerJoin('inbound_base_url', (join) => join.onTrue())
      .select(['key_encrypted', 'base_urls', 'base_url'])
      .where('destination', '=', destination)
      .where('state', '<>', 'removing')
      .forUpdate('vendor_webhook')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const location = locate(webhookKeyColumn, destination);
    const key =
      row.key_encrypted === null
        ? await issueWebhookKey(transaction, { pool, bookingSystem, cell })
        : encryption.decrypt(location, row.key_encrypted);
    const { base_url: baseUrl } = row;
    const formerBaseUrls = row.base_urls.filter((former) => former !== baseUrl);
    await transaction
      .updateTable('vendor_webhook')
      .set({
        key_encrypted: encryption.encrypt(location, key),
        base_urls: [...formerBaseUrls, baseUrl],
      })
      .where('destination', '=', destination)
      .execute();
    return { key, baseUrl, formerBaseUrls };
  });
}

// A move waits for attempts that are under way, so their ends are recorded; the copy has what was recorded before it. One that
// ends later is nobody's loss: the other cell registers the webhooks anew.
const isStillHere = sql`not ${isFrozen(sql`pool`)} and ${mayChangeMovingPools}`;

async function finish(
  database: Database,
  { destination, request }: Pick<DueWebhooks, 'destination' | 'request'>,
  attempt: WebhookAttempt,
): Promise<void> {
  const isUnchanged = sql`request = ${request} and ${isStillHere}`;
  if (attempt.outcome === 'removed') {
    await sql`delete from vendor_webhook where destination = ${destination} and ${isUnchanged}`.execute(
      database,
    );
  } else if (attempt.outcome === 'failed') {
    const { code, message, waitMs } = attempt;
    await sql`
update vendor_webhook set state = case when state = 'removing' then state else 'failing' end,
  failed_at = ${currentTime}, failure_code = ${code}, failure_message = ${message.slice(0, maxMessageLength)},
  due_at = now() + ${waitMs}::double precision * interval '1 millisecond'
where destination = ${destination} and ${isUnchanged}`.execute(database);
  } else {
    const { outcome, waitMs } = attempt;
    // The current address comes last; no other is registered any more, or none at all.
    await sql`
update vendor_webhook set state = ${outcome}, attempts = 0,
  base_urls = case when ${outcome} = 'registered' then base_urls[cardinality(base_urls):] else '{}' end,
  registered_at = case when ${outcome} = 'registered' then ${currentTime} end,
  failed_at = null, failure_code = null, failure_message = null,
  due_at = now() + ${waitMs}::double precision * interval '1 millisecond'
where destination = ${destination} and ${isUnchanged}`.execute(database);
  }
  await release(database, destination);
}

async function release(database: Database, destination: string): Promise<void> {
  await sql`update vendor_webhook set leased_until = '-infinity' where destination = ${destination} and ${isStillHere}`.execute(
    database,
  );
}

/** Creates the part of the store for webhooks at vendors. */
export function createVendorWebhooks(
  context: StoreContext,
  channel: Pick<EventChannel, 'onNotification'>,
): VendorWebhooks {
  const { database } = context;
  return {
    onDue: (listener) => channel.onNotification(dueWebhooksChannelName, () => listener()),
    setBaseUrl: (baseUrl) => setBaseUrl(database, baseUrl),
    async checkSoon(bookingSystem) {
      await database.transaction().execute(async (transaction) => {
        await changesMovingPools.execute(transaction);
        await sql`
update vendor_webhook set due_at = now(), attempts = 0, request = request + 1
where booking_system = ${bookingSystem} and state <> 'removing'`.execute(transaction);
      });
      await announceDueWebhooks(database);
    },
    claim: (request) => claim(context, request),
    begin: (webhooks) => begin(context, webhooks),
    finish: (webhooks, attempt) => finish(database, webhooks, attempt),
    release: ({ destination }) => release(database, destination),
  };
}
