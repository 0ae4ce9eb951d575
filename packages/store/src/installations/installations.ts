import type { InstallationSummary } from '@waiver-service/api';
import type { AccountId } from '@waiver-service/core';
import { batchCalls, currentTime, milliseconds, retryDeadlock } from '@waiver-service/database';
import { dispatchWithdrawal, narrowPermission } from '@waiver-service/outbox';
import { sql } from 'kysely';
import { type BookingSystemSettings, settingsOf } from '../booking-systems/booking-systems.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { type PoolOfKey, verifyPoolKey } from '../keys/booking-system-keys.ts';
import type { StoreContext } from '../store-context.ts';
import { applyManifest, type SendingManifest } from './apply-manifest.ts';
import { approve, type InstallRequest, type InstallResult, install } from './install.ts';
import {
  accountIdOf,
  encryptAccount,
  type Installation,
  type InstallationRow,
  installationOf,
  lockInstallation,
} from './installation.ts';
import { type AddressChange, setAddress } from './set-address.ts';
import { type UninstallRequest, type UninstallResult, uninstall } from './uninstall.ts';
import type { WebhookState } from './vendor-webhooks.ts';

interface SummaryRow
  extends Omit<
    InstallationSummary,
    'accountId' | 'status' | 'attention' | 'lastSuccessAt' | 'lastFailure' | 'webhooks'
  > {
  readonly accountId: string;
  readonly accountIdIsNumber: boolean;
  readonly status: 'installed' | 'pending';
  readonly lostSince: Date | null;
  readonly lostReason: string | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastFailureCode: string | null;
  readonly lastFailureStatus: number | null;
  readonly webhookState: WebhookState | null;
  readonly registeredAt: Date | null;
  readonly failedAt: Date | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

/** The installations of a pool, without uninstalled ones, by install name. */
async function listInstallations(database: Database, pool: string): Promise<InstallationSummary[]> {
  const { rows } = await sql<SummaryRow>`
select i.booking_system, i.account_id, i.account_id_is_number, i.installed_at,
  i.status, d.status = 'paused' as paused, i.approved_by, i.approved_at,
  i.base_url, i.environment, i.share_properties,
  i.share_document,
  i.share_allowed_by, i.share_allowed_at, s.lost_since, s.lost_reason,
  d.last_success_at, d.last_failure_at, d.last_failure_code, d.last_failure_status,
  w.state as webhook_state, w.registered_at, w.failed_at, w.failure_code, w.failure_message
from installation i
join destination d on d.id = i.destination_id
left join booking_system_session s on s.destination = i.destination_id
left join vendor_webhook w on w.destination = i.destination_id
where i.pool = ${pool} and i.status <> 'uninstalled'
order by i.booking_system`.execute(database);
  return rows.map((row) => {
    const { lostSince, lostReason, lastFailureAt: at, lastFailureCode, lastFailureStatus, ...known } = row;
    const { webhookState, registeredAt, failedAt, failureCode, failureMessage, ...shown } = known;
    const { accountIdIsNumber, ...installation } = shown;
    return {
      ...installation,
      accountId: accountIdOf(installation.accountId, accountIdIsNumber),
      status: row.status === 'pending' ? 'pending' : lostSince === null ? 'active' : 'needs_attention',
      attention: lostSince === null ? undefined : { since: lostSince, reason: lostReason ?? '' },
      lastSuccessAt: installation.lastSuccessAt ?? undefined,
      lastFailure:
        at === null
          ? undefined
          : { at, errorCode: lastFailureCode ?? undefined, status: lastFailureStatus ?? undefined },
      webhooks: webhooksOf(row),
    };
  });
}

function webhooksOf(row: SummaryRow): InstallationSummary['webhooks'] {
  const { webhookState: state, registeredAt, failedAt: at } = row;
  if (state === null || state === 'off' || state === 'removing') return undefined;
  return {
    state,
    registeredAt: registeredAt ?? undefined,
    lastFailure:
      at === null ? undefined : { at, code: row.failureCode ?? '', message: row.failureMessage ?? '' },
  };
}

/** Prevents concurrent checks of an installation, across all hosts. */
export function createInstallationChecks({ database }: StoreContext) {
  return {
    /** Whether the check may begin, because none is running. @param maxMs - after this, the check counts as ended */
    async begin(pool: string, bookingSystem: string, maxMs: number): Promise<boolean> {
      const { rows } = await sql`
insert into installation_check as c (pool, booking_system, lease_until)
values (${pool}, ${bookingSystem}, now() + ${milliseconds(maxMs)})
on conflict (pool, booking_system) do update set lease_until = excluded.lease_until where c.lease_until < now()
returning 1`.execute(database);
      return rows.length === 1;
    },
    async end(pool: string, bookingSystem: string): Promise<void> {
      await database
        .deleteFrom('installationCheck')
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .execute();
    },
  };
}

/**
 * Sets a permission in the account information of an installation to false.
 *
 * @returns whether it was true
 */
function withdraw(
  { database, encryption }: StoreContext,
  pool: string,
  bookingSystem: string,
  permission: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await lockInstallation(transaction, pool, bookingSystem);
    const account = row && installationOf(encryption, row)?.account;
    if (account?.information[permission] !== true) return false;
    const { apiKey } = account;
    const information = { ...account.information, [permission]: false };
    const encrypted = encryptAccount(encryption, pool, bookingSystem, { apiKey, information });
    await transaction
      .updateTable('installation')
      .set({ accountEncrypted: encrypted, updatedAt: currentTime })
      .where('pool', '=', pool)
      .where('bookingSystem', '=', bookingSystem)
      .execute();
    return true;
  });
}

export interface ShareRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  /** Unchanged if omitted. */
  readonly shareProperties?: readonly string[] | undefined;
  /** Unchanged if omitted. */
  readonly shareDocument?: boolean | undefined;
  readonly allowedBy: string;
}

/** Everything that may be sent: answers by name, and the document as the empty name, which no answer has. */
const allowed = (answers: readonly string[], document: boolean) => (document ? [...answers, ''] : answers);

/**
 * Sets which answers Guest Updates contain and whether they include the signed document, and records who allowed it.
 *
 * @returns the destination if less may be sent to it than before
 */
async function share(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, allowedBy, ...request }: ShareRequest,
): Promise<string | undefined> {
  const former = await lockInstallation(transaction, pool, bookingSystem);
  if (former === undefined || former.status === 'uninstalled') return undefined;
  const { shareProperties = former.shareProperties, shareDocument = former.shareDocument } = request;
  await transaction
    .updateTable('installation')
    .set({
      shareProperties,
      shareDocument,
      shareAllowedBy: allowedBy,
      shareAllowedAt: currentTime,
      updatedAt: currentTime,
    })
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .execute();
  const destination = former.destinationId;
  const before = allowed(former.shareProperties, former.shareDocument);
  const change = { destination, before, after: allowed(shareProperties, shareDocument) };
  return (await narrowPermission(transaction, change)) ? destination : undefined;
}

/** The configuration of one booking system for one pool. */
export interface BookingSystemConfiguration {
  readonly installation: Installation;
  /** The operator's settings of the booking system, if any. */
  readonly settings: BookingSystemSettings | undefined;
}

const maxBatchSize = 256;

interface Row extends InstallationRow {
  /** Null without settings. */
  readonly installName: string | null;
  readonly settingsBaseUrl: string | null;
  readonly settingsEncrypted: string | null;
  readonly settingsUpdatedAt: Date | null;
}

async function readRows({ database }: StoreContext, destinations: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
select i.*, s.install_name, s.base_url as settings_base_url, s.settings_encrypted, s.updated_at as settings_updated_at
from installation i left join booking_system s on s.install_name = i.booking_system
where i.destination_id = any(${[...new Set(destinations)]}::text[]) and i.status = 'installed'`.execute(
    database,
  );
  return rows;
}

function configurationOf({ encryption }: StoreContext, row: Row): BookingSystemConfiguration | undefined {
  const installation = installationOf(encryption, row);
  if (installation === undefined) return undefined;
  const { installName, settingsBaseUrl: baseUrl, settingsEncrypted, settingsUpdatedAt: updatedAt } = row;
  if (installName === null || updatedAt === null) return { installation, settings: undefined };
  const settings = settingsOf(encryption, { installName, baseUrl, settingsEncrypted, updatedAt });
  return { installation, settings };
}

/** Creates a function that reads the configuration of a destination. Concurrent calls are batched. */
function createDestinationConfigurations(
  context: StoreContext,
): (destination: string) => Promise<BookingSystemConfiguration | undefined> {
  const findRow = batchCalls<string, Row | undefined>({
    maxBatchSize,
    async run(destinations) {
      const rows = new Map((await readRows(context, destinations)).map((row) => [row.destinationId, row]));
      return destinations.map((destination) => ({ status: 'fulfilled', value: rows.get(destination) }));
    },
  });
  return async (destination) => {
    const row = await findRow(destination);
    return row && configurationOf(context, row);
  };
}

export interface Installations extends ReturnType<typeof createInstallations> {}

/** @param onClosed called after a destination was closed, to cancel its pending messages */
export function createInstallations(context: StoreContext, onClosed: () => void) {
  const { database, encryption, notifications } = context;
  const changed = () => notifications.announce('setups');
  const summaryOf = async (pool: string, bookingSystem: string) =>
    (await listInstallations(database, pool)).find((summary) => summary.bookingSystem === bookingSystem);
  return {
    /** Contract 4.4. */
    async install(request: InstallRequest): Promise<InstallResult> {
      const result = await install(context, request);
      changed();
      return result;
    },
    /** Contract 4.5. */
    async uninstall(request: UninstallRequest): Promise<UninstallResult> {
      const result = await retryDeadlock(() => uninstall(context, request));
      if (result.outcome === 'uninstalled') onClosed();
      changed();
      return result;
    },
    /** See {@link applyManifest}. */
    applyManifest: (manifest: SendingManifest): Promise<number> => applyManifest(database, manifest),
    /** With the decrypted account. @throws CannotDecrypt */
    async get(pool: string, bookingSystem: string): Promise<Installation | undefined> {
      const { rows } = await sql<InstallationRow>`
select * from installation where pool = ${pool} and booking_system = ${bookingSystem}`.execute(database);
      return rows[0] && installationOf(encryption, rows[0]);
    },
    list: (pool: string): Promise<InstallationSummary[]> => listInstallations(database, pool),
    /** The number of a booking system's installations, including pending ones, that do not override its usual address. */
    async countAtUsualAddress(bookingSystem: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
select count(*)::integer as count from installation
where booking_system = ${bookingSystem} and status <> 'uninstalled' and base_url is null`.execute(database);
      return rows[0]?.count ?? 0;
    },
    /** Sets what Guest Updates contain besides the contract's fields, and records who allowed it and when. */
    async share(request: ShareRequest): Promise<InstallationSummary | undefined> {
      const narrowed = await database.transaction().execute((transaction) => share(transaction, request));
      if (narrowed !== undefined) dispatchWithdrawal(notifications, { destination: narrowed });
      return summaryOf(request.pool, request.bookingSystem);
    },
    /** Sets the address of an installation's booking system, and discards bookings read elsewhere. */
    async setAddress(
      pool: string,
      bookingSystem: string,
      change: AddressChange,
    ): Promise<InstallationSummary | undefined> {
      await database
        .transaction()
        .execute((transaction) => setAddress(transaction, pool, bookingSystem, change));
      changed();
      return summaryOf(pool, bookingSystem);
    },
    /** Sets a permission in the account information to false. @returns whether it was true */
    async withdraw(pool: string, bookingSystem: string, permission: string): Promise<boolean> {
      const wasAllowed = await withdraw(context, pool, bookingSystem, permission);
      if (wasAllowed) changed();
      return wasAllowed;
    },
    /** Approves a pending installation, and records who did and when. */
    async approve(
      pool: string,
      bookingSystem: string,
      approvedBy: string,
    ): Promise<InstallationSummary | undefined> {
      const isInstalled = await approve(context, pool, bookingSystem, approvedBy);
      changed();
      return isInstalled ? summaryOf(pool, bookingSystem) : undefined;
    },
    /** The pool for which an app pool key was issued to this booking system. */
    verifyPoolKey: (bookingSystem: string, key: string): Promise<PoolOfKey | undefined> =>
      verifyPoolKey(database, bookingSystem, key),
    /** The pools for which this booking system is installed, or pending, with an account; ids compare as text. */
    async poolsOfAccount(bookingSystem: string, accountId: AccountId): Promise<PoolOfKey[]> {
      const { rows } = await sql<PoolOfKey>`
select pool, status = 'pending' as pending from installation
where booking_system = ${bookingSystem} and account_id = ${String(accountId)}
order by pool`.execute(database);
      return rows;
    },
    /**
     * The installation of a destination, with the booking system's settings; undefined once uninstalled. Concurrent calls
     * are batched. @throws CannotDecrypt
     */
    configurationByDestination: createDestinationConfigurations(context),
  };
}
