import { CannotDecrypt, currentTime, type Encryption, locate, milliseconds } from '@waiver-service/database';
import { sql } from 'kysely';
import { z } from 'zod';
import { notify } from '../database/notifications.ts';
import type { Database } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { issueWebhookKey } from '../keys/booking-system-keys.ts';
import type { StoreContext } from '../store-context.ts';
import { accountIdOf, type Installation } from './installation.ts';

// The states of an installation's webhooks at the vendor:
//
//   (none)      --install--> registering
//   registering --attempt--> registered, failing, or off where the plugin does not use them
//   registered, failing, off --reinstall, another base URL, other settings, the vendor's other address--> registering
//   registered  --the daily attempt fails--> failing --an attempt succeeds--> registered
//   any         --uninstall--> removing, with a copy of the account --removed, or given up--> (none)
//
// A pending installation stays in `registering`. Attempts are made under a lease, by one host at a time.

/** The state of webhooks at the vendor. */
export type WebhookState = 'registering' | 'registered' | 'failing' | 'off' | 'removing';

/** The access needed to remove the webhooks of an uninstalled booking system. */
export type RemovalAccess = Pick<Installation, 'account' | 'baseUrl' | 'environment'>;

/** Webhooks that are due to be registered, checked or removed. */
export interface DueWebhooks {
  readonly destination: string;
  readonly pool: string;
  readonly bookingSystem: string;
  /** Where they may already be registered: the key in the address, and the base URLs. */
  readonly registered: { readonly key: string; readonly baseUrls: readonly string[] } | undefined;
  /** After an uninstall: where and for which account to remove them, and until when to try. */
  readonly removal: { readonly access: RemovalAccess; readonly giveUpAt: Date } | undefined;
  /** Including this one. */
  readonly attempts: number;
  readonly request: number;
}

type DueInstallation = Pick<DueWebhooks, 'destination' | 'pool' | 'bookingSystem'>;

/** Where to register webhooks. */
export interface WebhookAddress {
  /** The app pool key in the address. */
  readonly key: string;
  /** The base URL that the vendor calls. */
  readonly baseUrl: string;
  /** Other base URLs where they may be registered. */
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

/** The webhooks that the service registers with vendors. */
export interface VendorWebhooks extends ReturnType<typeof createVendorWebhooks> {}

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
  return encryption.encrypt(locate(encryptedColumns.removalAccount, destination), JSON.stringify(access));
}

function decryptRemovalAccess(encryption: Encryption, destination: string, encrypted: string): RemovalAccess {
  const plain = encryption.decrypt(locate(encryptedColumns.removalAccount, destination), encrypted);
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
  await sql`
with changed as (
  insert into inbound_base_url (base_url) values (${baseUrl})
  on conflict (id) do update set base_url = excluded.base_url
  where inbound_base_url.base_url <> excluded.base_url
  returning base_url)
update vendor_webhook set due_at = now(), attempts = 0, request = request + 1,
  state = case when state = 'off' then state else 'registering' end
where state <> 'removing' and exists (select from changed)`.execute(database);
  await notify(database, 'due_webhooks');
}

interface ClaimedRow extends Omit<DueWebhooks, 'registered' | 'removal'> {
  readonly keyEncrypted: string | null;
  readonly baseUrls: string[];
  readonly accountEncrypted: string | null;
  readonly giveUpAt: Date | null;
}

/** @throws CannotDecrypt */
function decryptClaimed(
  encryption: Encryption,
  { keyEncrypted: key, baseUrls, accountEncrypted: account, giveUpAt, ...row }: ClaimedRow,
): DueWebhooks {
  return {
    ...row,
    registered:
      key === null
        ? undefined
        : {
            key: encryption.decrypt(locate(encryptedColumns.vendorWebhookKey, row.destination), key),
            baseUrls,
          },
    removal:
      account === null || giveUpAt === null
        ? undefined
        : { access: decryptRemovalAccess(encryption, row.destination, account), giveUpAt },
  };
}

async function claim(
  { database, encryption }: StoreContext,
  { bookingSystems, limit, leaseMs }: Parameters<VendorWebhooks['claim']>[0],
): Promise<(DueWebhooks | CannotDecrypt)[]> {
  const { rows } = await sql<ClaimedRow>`
with due as (
  select w.destination from vendor_webhook w
  left join installation i on i.destination_id = w.destination
  where w.due_at <= now() and w.leased_until <= now() and w.booking_system = any(${[...bookingSystems]}::text[])
    and (w.state = 'removing' or i.status = 'installed') and exists (select from inbound_base_url)
  order by w.due_at limit ${limit}::integer for update of w skip locked)
update vendor_webhook w set attempts = w.attempts + 1,
  leased_until = now() + ${milliseconds(leaseMs)}
from due where w.destination = due.destination
returning w.destination, w.pool, w.booking_system, w.attempts, w.request, w.key_encrypted,
  w.base_urls, w.account_encrypted, w.give_up_at`.execute(database);
  return rows.map((row) => {
    try {
      return decryptClaimed(encryption, row);
    } catch (error) {
      if (error instanceof CannotDecrypt) return error;
      throw error;
    }
  });
}

function begin(
  { database, encryption }: StoreContext,
  { destination, pool, bookingSystem }: DueInstallation,
): Promise<WebhookAddress | undefined> {
  return database.transaction().execute(async (transaction) => {
    // Lock order: the installation first, as in an uninstall.
    await sql`
select from installation where pool = ${pool} and booking_system = ${bookingSystem} for key share`.execute(
      transaction,
    );
    const { rows } = await sql<Pick<ClaimedRow, 'keyEncrypted' | 'baseUrls'> & { readonly baseUrl: string }>`
select w.key_encrypted, w.base_urls, b.base_url from vendor_webhook w cross join inbound_base_url b
where w.destination = ${destination} and w.state <> 'removing' for update of w`.execute(transaction);
    const [row] = rows;
    if (row === undefined) return undefined;
    const location = locate(encryptedColumns.vendorWebhookKey, destination);
    const key =
      row.keyEncrypted === null
        ? await issueWebhookKey(transaction, { pool, bookingSystem })
        : encryption.decrypt(location, row.keyEncrypted);
    const { baseUrl } = row;
    const formerBaseUrls = row.baseUrls.filter((former) => former !== baseUrl);
    await transaction
      .updateTable('vendorWebhook')
      .set({ keyEncrypted: encryption.encrypt(location, key), baseUrls: [...formerBaseUrls, baseUrl] })
      .where('destination', '=', destination)
      .execute();
    return { key, baseUrl, formerBaseUrls };
  });
}

async function finish(
  database: Database,
  { destination, request }: Pick<DueWebhooks, 'destination' | 'request'>,
  attempt: WebhookAttempt,
): Promise<void> {
  const isUnchanged = sql`request = ${request}`;
  if (attempt.outcome === 'removed') {
    await database
      .deleteFrom('vendorWebhook')
      .where('destination', '=', destination)
      .where(sql<boolean>`${isUnchanged}`)
      .execute();
  } else if (attempt.outcome === 'failed') {
    const { code, message, waitMs } = attempt;
    await sql`
update vendor_webhook set state = case when state = 'removing' then state else 'failing' end,
  failed_at = ${currentTime}, failure_code = ${code}, failure_message = ${message.slice(0, maxMessageLength)},
  due_at = now() + ${milliseconds(waitMs)}
where destination = ${destination} and ${isUnchanged}`.execute(database);
  } else {
    const { outcome, waitMs } = attempt;
    // The current address is last. Only that one is still registered, or none.
    await sql`
update vendor_webhook set state = ${outcome}, attempts = 0,
  base_urls = case when ${outcome} = 'registered' then base_urls[cardinality(base_urls):] else '{}' end,
  registered_at = case when ${outcome} = 'registered' then ${currentTime} end,
  failed_at = null, failure_code = null, failure_message = null,
  due_at = now() + ${milliseconds(waitMs)}
where destination = ${destination} and ${isUnchanged}`.execute(database);
  }
  await release(database, destination);
}

async function release(database: Database, destination: string): Promise<void> {
  await database
    .updateTable('vendorWebhook')
    .set({ leasedUntil: sql<Date>`'-infinity'` })
    .where('destination', '=', destination)
    .execute();
}

export function createVendorWebhooks(context: StoreContext) {
  const { database, notifications } = context;
  return {
    /** Calls back when webhooks have, or may have, become due at once. */
    onDue: (listener: () => void): void => void notifications.listen('due_webhooks', () => listener()),
    /** Sets the base URL that vendors call; if it has changed, all webhooks are registered again. */
    setBaseUrl: (baseUrl: string): Promise<void> => setBaseUrl(database, baseUrl),
    /** Has the webhooks of a booking system's installations checked, after its settings changed. */
    async checkSoon(bookingSystem: string): Promise<void> {
      await database
        .updateTable('vendorWebhook')
        .set({ dueAt: sql<Date>`now()`, attempts: 0, request: sql<number>`request + 1` })
        .where('bookingSystem', '=', bookingSystem)
        .where('state', '<>', 'removing')
        .execute();
      await notify(database, 'due_webhooks');
    },
    /**
     * Claims the due webhooks of these booking systems, once a host has set the base URL. Those that cannot be decrypted
     * are due again when the lease ends.
     */
    claim: (request: {
      readonly bookingSystems: readonly string[];
      readonly limit: number;
      readonly leaseMs: number;
    }): Promise<(DueWebhooks | CannotDecrypt)[]> => claim(context, request),
    /**
     * Records where webhooks are about to be registered. Call it before calling the vendor, so that they can be found
     * again if the result is lost. Undefined if they must no longer be registered.
     */
    begin: (webhooks: DueInstallation): Promise<WebhookAddress | undefined> => begin(context, webhooks),
    /** Records an attempt, unless something changed meanwhile: then the next one is due at once. */
    finish: (
      webhooks: Pick<DueWebhooks, 'destination' | 'request'>,
      attempt: WebhookAttempt,
    ): Promise<void> => finish(database, webhooks, attempt),
    /** Gives up an interrupted attempt, so that another host may make it at once. */
    release: ({ destination }: Pick<DueWebhooks, 'destination'>): Promise<void> =>
      release(database, destination),
  };
}
