import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { BookingSystemTable } from '../database/tables-configuration.ts';
import type { EncryptedPlace, Encryption } from '../encryption/encryption.ts';
import type { BookingSystemSettings } from './booking-systems.ts';

const settingsSchema = z.record(z.string(), z.unknown());

/** A row as settings, decrypted. @throws CannotDecrypt */
export function settingsOf(
  encryption: Encryption,
  row: Selectable<BookingSystemTable>,
): BookingSystemSettings {
  const { install_name: installName, base_url: baseUrl, settings_encrypted, updated_at: updatedAt } = row;
  const settings =
    settings_encrypted === null
      ? {}
      : settingsSchema.parse(JSON.parse(encryption.decrypt(placeOf(installName), settings_encrypted)));
  return { installName, baseUrl, settings, updatedAt };
}

/** Encrypts settings, for their row. */
export function encryptSettings(
  encryption: Encryption,
  installName: string,
  settings: BookingSystemSettings['settings'],
): string {
  return encryption.encrypt(placeOf(installName), JSON.stringify(settings));
}

function placeOf(installName: string): EncryptedPlace {
  return { table: 'booking_system', column: 'settings_encrypted', row: [installName] };
}
