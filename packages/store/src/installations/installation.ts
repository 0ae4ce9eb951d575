import type { AccountId } from '@waiver-service/core';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { InstallationTable } from '../database/tables-configuration.ts';
import type { EncryptedPlace, Encryption } from '../encryption/encryption.ts';

/** What a booking system brought at install, with what opens the account. Never to be shown. */
export interface InstallationAccount {
  readonly accountId: AccountId;
  readonly apiKey: string;
  /** Additional account information, as it came (contract 2.7). */
  readonly information: Readonly<Record<string, unknown>>;
}

/** A booking system that is installed for a pool. */
export interface Installation {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly account: InstallationAccount;
  readonly writeUnit: 'waiver' | 'booking';
  readonly madeBy: 'booking-system' | 'operator';
  /** Answers that go out with Guest Update besides the contract's fields. */
  readonly shareProperties: readonly string[];
  /** The destination of its Guest Updates. */
  readonly destinationId: string;
  readonly installedAt: Date;
  /** Changes whenever the account, its key or what is shared changes. */
  readonly updatedAt: Date;
}

/** The secret part of an account, as it is encrypted. */
const secretsSchema = z.object({ apiKey: z.string(), information: z.record(z.string(), z.unknown()) });

/** Encrypts what opens an account, for its row. */
export function encryptAccount(
  encryption: Encryption,
  pool: string,
  bookingSystem: string,
  { apiKey, information }: Omit<InstallationAccount, 'accountId'>,
): string {
  return encryption.encrypt(placeOf(pool, bookingSystem), JSON.stringify({ apiKey, information }));
}

/** A row as an installation; undefined where it was uninstalled. */
export function installationOf(
  encryption: Encryption,
  row: Selectable<InstallationTable>,
): Installation | undefined {
  if (row.account_id === null || row.account_encrypted === null) return undefined;
  const { pool, booking_system: bookingSystem } = row;
  const plain = encryption.decrypt(placeOf(pool, bookingSystem), row.account_encrypted);
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
    destinationId: row.destination_id,
    installedAt: row.installed_at,
    updatedAt: row.updated_at,
  };
}

/** An account id with the JSON type it came with. */
export function accountIdOf(text: string, isNumber: boolean): AccountId {
  return isNumber ? Number(text) : text;
}

function placeOf(pool: string, bookingSystem: string): EncryptedPlace {
  return { table: 'installation', column: 'account_encrypted', row: [pool, bookingSystem] };
}
