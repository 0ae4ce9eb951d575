import type { Pool } from '@waiver-service/api';
import type { AccountId } from '@waiver-service/core';
import { type Encryption, locate } from '@waiver-service/database';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { DatabaseTransaction, Tables } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';

/** The account that a booking system named at install, credentials included. Never show it. */
export interface InstallationAccount {
  readonly accountId: AccountId;
  readonly apiKey: string;
  /** Additional account information, unchanged (contract 2.7). */
  readonly information: Readonly<Record<string, unknown>>;
}

/** A booking system installed for a pool. */
export interface Installation {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly account: InstallationAccount;
  readonly writeUnit: 'waiver' | 'booking';
  readonly madeBy: 'booking-system' | 'operator';
  /** Answers that a Guest Update contains besides the contract's fields. */
  readonly shareProperties: readonly string[];
  /** Whether Guest Updates may include the signed document. */
  readonly shareDocument: boolean;
  readonly destinationId: string;
  /** Overrides the booking system's usual address. */
  readonly baseUrl: string | null;
  readonly environment: 'live' | 'test' | null;
  /** Incremented by each change of the address, including the usual one unless overridden. */
  readonly addressVersion: number;
  readonly installedAt: Date;
  readonly updatedAt: Date;
}

/** A row of `installation`, which survives an uninstall without its account. */
export interface InstallationRow extends Selectable<Tables['installation']> {
  readonly environment: 'live' | 'test' | null;
}

const secretsSchema = z.object({ apiKey: z.string(), information: z.record(z.string(), z.unknown()) });

/** For `account_encrypted`. */
export function encryptAccount(
  encryption: Encryption,
  pool: string,
  bookingSystem: string,
  { apiKey, information }: Omit<InstallationAccount, 'accountId'>,
): string {
  return encryption.encrypt(
    locate(encryptedColumns.account, pool, bookingSystem),
    JSON.stringify({ apiKey, information }),
  );
}

/** Undefined if uninstalled. @throws CannotDecrypt */
export function installationOf(encryption: Encryption, row: InstallationRow): Installation | undefined {
  if (row.accountId === null || row.accountEncrypted === null) return undefined;
  const { pool, bookingSystem } = row;
  const plain = encryption.decrypt(
    locate(encryptedColumns.account, pool, bookingSystem),
    row.accountEncrypted,
  );
  return {
    pool,
    bookingSystem,
    account: {
      accountId: accountIdOf(row.accountId, row.accountIdIsNumber),
      ...secretsSchema.parse(JSON.parse(plain)),
    },
    writeUnit: row.writeUnit,
    madeBy: row.madeBy,
    shareProperties: row.shareProperties,
    shareDocument: row.shareDocument,
    destinationId: row.destinationId,
    baseUrl: row.baseUrl,
    environment: row.environment,
    addressVersion: row.addressVersion,
    installedAt: row.installedAt,
    updatedAt: row.updatedAt,
  };
}

/** An account id in the JSON type in which it was given. */
export function accountIdOf(text: string, isNumber: boolean): AccountId {
  return isNumber ? Number(text) : text;
}

/**
 * Locks a pool against concurrent changes of its installations; waivers are still accepted.
 * Lock order: pool, installation, waiver, destination, lanes.
 */
export async function lockPool(
  transaction: DatabaseTransaction,
  pool: string,
): Promise<{ readonly installs: Pool['installs'] } | undefined> {
  return transaction
    .selectFrom('pool')
    .select('installs')
    .where('id', '=', pool)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks an installation, even an uninstalled one, against changes and against new messages to it. */
export async function lockInstallation(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<InstallationRow | undefined> {
  const { rows } = await sql<InstallationRow>`
select * from installation where pool = ${pool} and booking_system = ${bookingSystem} for update`.execute(
    transaction,
  );
  return rows[0];
}
