import type { Pool } from '@waiver-service/api';
import { currentTime, definedColumns } from '@waiver-service/database';
import { changeWriteUnit, openDestination, probeSoon, setRequestLimits } from '@waiver-service/outbox';
import { sql } from 'kysely';
import { needAuthorization, retryLost } from '../booking-systems/sessions.ts';
import { notify } from '../database/notifications.ts';
import type { DatabaseTransaction } from '../database/tables.ts';
import { issuePoolKey } from '../keys/booking-system-keys.ts';
import type { StoreContext } from '../store-context.ts';
import type { SendingManifest } from './apply-manifest.ts';
import {
  encryptAccount,
  type Installation,
  type InstallationAccount,
  type InstallationRow,
  installationOf,
  lockInstallation,
  lockPool,
} from './installation.ts';
import { requestWebhooks } from './installed-webhooks.ts';
import { type AddressChange, changesAddress, forgetBookings } from './set-address.ts';

// An installation's states:
//
//   (none), uninstalled --install--> pending if it needs approval (`statusAfter`), else installed
//   pending   --install again by the booking system--> pending
//   pending   --approve, or an install by an operator--> installed
//   installed --install again--> installed
//   pending, installed --uninstall--> uninstalled

/** Whether a pool has another booking system, installed or pending. */
async function hasOtherInstallations(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<boolean> {
  const { rows } = await sql`
select from installation where pool = ${pool} and booking_system <> ${bookingSystem} and status <> 'uninstalled'
limit 1`.execute(transaction);
  return rows.length > 0;
}

/** If a pool has no default booking system and exactly one installed, makes that one the default. */
export async function chooseDefault(transaction: DatabaseTransaction, pool: string): Promise<void> {
  await sql`
    update pool p set default_booking_system = one.booking_system
    from (select min(booking_system) as booking_system from installation
      where pool = ${pool} and status = 'installed' having count(*) = 1) one
    where p.id = ${pool} and p.default_booking_system is null`.execute(transaction);
}

/**
 * Approves a pending installation; an installed one stays unchanged.
 *
 * @returns false if the booking system is not installed
 */
export function approve(
  { database }: StoreContext,
  pool: string,
  bookingSystem: string,
  approvedBy: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockPool(transaction, pool);
    const installation = await lockInstallation(transaction, pool, bookingSystem);
    if (installation === undefined || installation.status === 'uninstalled') return false;
    if (installation.status === 'installed') return true;
    await transaction
      .updateTable('installation')
      .set({ status: 'installed', approvedBy, approvedAt: currentTime, updatedAt: currentTime })
      .where('pool', '=', pool)
      .where('bookingSystem', '=', bookingSystem)
      .execute();
    await chooseDefault(transaction, pool);
    await notify(transaction, 'due_webhooks');
    return true;
  });
}

export interface InstallRequest extends SendingManifest, InstallationAccount {
  readonly pool: string;
  /** Why it needs an operator's authorization before it works, if it does. */
  readonly needsAuthorization?: string | undefined;
  /** How long previous app pool keys stay valid. */
  readonly keyOverlapMs: number;
  readonly madeBy: 'booking-system' | 'operator';
  /** The address of this installation's booking system. Omitted parts stay unchanged. */
  readonly address?: AddressChange | undefined;
  /** The installing operator, if any, who thereby also approves a pending installation. */
  readonly approvedBy?: string | undefined;
}

export type InstallResult =
  | {
      readonly outcome: 'installed' | 'reinstalled';
      readonly installation: Installation;
      /** Cannot be read again. */
      readonly poolKey: string;
      /** Whether it awaits an operator's approval. */
      readonly pending: boolean;
    }
  | { readonly outcome: 'other-account' }
  | { readonly outcome: 'unknown-pool' };

/**
 * Installs a booking system for a pool, `pending` if the pool's policy asks for an operator's approval. If it is already
 * installed with the same account (ids compared as text), its apiKey and account information are replaced, and a
 * destination that failures paused is probed at once. The pool's lock serializes concurrent installs: one installs, the
 * others reinstall.
 */
export function install(
  { database, encryption, report }: StoreContext,
  request: InstallRequest,
): Promise<InstallResult> {
  const { pool, bookingSystem, approvedBy, address = {} } = request;
  return database.transaction().execute(async (transaction) => {
    const policy = await lockPool(transaction, pool);
    if (policy === undefined) return { outcome: 'unknown-pool' };
    const former = await lockInstallation(transaction, pool, bookingSystem);
    const isInstalled = former !== undefined && former.status !== 'uninstalled';
    if (isInstalled && former.accountId !== String(request.accountId)) return { outcome: 'other-account' };
    const status = await statusAfter(transaction, request, policy.installs, former?.status);
    const isApprovedNow = former?.status === 'pending' && status === 'installed';
    const isMoved = isInstalled && changesAddress(former, address);
    const destinationId = await destinationFor(transaction, request, isInstalled ? former : undefined);
    const { names, values, assignments } = definedColumns({
      destinationId,
      accountId: String(request.accountId),
      accountIdIsNumber: typeof request.accountId === 'number',
      accountEncrypted: encryptAccount(encryption, pool, bookingSystem, request),
      writeUnit: request.writeUnit,
      guestId: request.guestId,
      takesGuestUpdates: request.takesGuestUpdates,
      madeBy: request.madeBy,
      status,
      baseUrl: address.baseUrl,
      environment: address.environment,
      addressVersion: isMoved ? former.addressVersion + 1 : undefined,
      approvedBy: isApprovedNow ? (approvedBy ?? null) : undefined,
      approvedAt: isApprovedNow ? currentTime : undefined,
      installedAt: isInstalled ? former.installedAt : currentTime,
      updatedAt: currentTime,
    });
    if (isMoved) await forgetBookings(transaction, [pool], bookingSystem);
    await setRequestLimits(transaction, { destination: destinationId, bookingSystem }, request.requestLimits);
    const { rows } = await sql<InstallationRow>`
insert into installation (pool, booking_system, ${names}) values (${pool}, ${bookingSystem}, ${values})
on conflict (pool, booking_system) do update set ${assignments}
returning *`.execute(transaction);
    if (request.needsAuthorization !== undefined)
      await needAuthorization(transaction, destinationId, request.needsAuthorization);
    if (status === 'installed' && former?.status !== 'installed') await chooseDefault(transaction, pool);
    if (request.registersWebhooks) await requestWebhooks(transaction, destinationId, request);
    const poolKey = await issuePoolKey(transaction, { pool, bookingSystem }, request.keyOverlapMs);
    const installation = rows[0] && installationOf(encryption, rows[0]);
    if (installation === undefined) throw new Error('an installation was written without its account');
    if (status === 'pending' && !isInstalled)
      await report(transaction, [{ event: 'installation.pending', subject: destinationId }]);
    const outcome = isInstalled ? 'reinstalled' : 'installed';
    return { outcome, installation, poolKey, pending: status === 'pending' };
  });
}

async function statusAfter(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, madeBy }: InstallRequest,
  installs: Pool['installs'],
  former: InstallationRow['status'] | undefined,
): Promise<'installed' | 'pending'> {
  if (former === 'installed') return 'installed';
  if (former === 'pending') return madeBy === 'operator' ? 'installed' : 'pending';
  if (madeBy === 'operator' || installs === 'any') return 'installed';
  const isApprovalNeeded =
    installs === 'approve' || (await hasOtherInstallations(transaction, pool, bookingSystem));
  return isApprovalNeeded ? 'pending' : 'installed';
}

/** A reinstall keeps its destination; an install opens a new one, since an old one may still have messages. */
async function destinationFor(
  transaction: DatabaseTransaction,
  { pool, writeUnit }: InstallRequest,
  installed: { readonly destinationId: string } | undefined,
): Promise<string> {
  if (installed === undefined) return openDestination(transaction, { pool, kind: 'guest-update', writeUnit });
  await probeSoon(transaction, installed.destinationId);
  await retryLost(transaction, { destination: installed.destinationId });
  await changeWriteUnit(transaction, installed.destinationId, writeUnit);
  return installed.destinationId;
}
