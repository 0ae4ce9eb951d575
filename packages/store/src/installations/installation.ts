import type { AccountId } from '@waiver-service/core';
import { z } from 'zod';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { type Encryption, locate } from '../encryption/encryption.ts';

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
export interface InstallationRow {
  readonly pool: string;
  readonly booking_system: string;
  readonly status: 'installed' | 'pending' | 'uninstalled';
  readonly account_id: string | null;
  readonly account_id_is_number: boolean;
  readonly account_encrypted: string | null;
  readonly write_unit: 'waiver' | 'booking';
  readonly made_by: 'booking-system' | 'operator';
  readonly share_properties: string[];
  readonly share_document: boolean;
  readonly destination_id: string;
  readonly base_url: string | null;
  readonly environment: 'live' | 'test' | null;
  readonly address_version: number;
  readonly installed_at: Date;
  readonly updated_at: Date;
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
  if (row.account_id === null || row.account_encrypted === null) return undefined;
  const { pool, booking_system: bookingSystem } = row;
  const plain = encryption.decrypt(
    locate(encryptedColumns.account, pool, bookingSystem),
    row.account_encrypted,
  );
  return {
    pool,
    bookingSystem,
    account: {
      accountId: accountIdOf(row.account_id, row.account_id_is_number),
      ...secretsSchema.parse(JSON.parse(plain)),
    },
    writeUnit: row.write_unit,
    madeBy: row.made_by,
    shareProperties: row.share_properties,
    shareDocument: row.share_document,
    destinationId: row.destination_id,
    baseUrl: row.base_url,
    environment: row.environment,
    addressVersion: row.address_version,
    installedAt: row.installed_at,
    updatedAt: row.updated_at,
  };
}

/** An account id in the JSON type in which it was given. */
export function accountIdOf(text: string, isNumber: boolean): AccountId {
  return isNumber ? Number(text) : text;
}
