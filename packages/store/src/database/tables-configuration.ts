import type { ColumnType, Generated } from 'kysely';

/** When the row was made; the database writes it, in milliseconds. */
type CreatedAt = ColumnType<Date, never, never>;
/** When the row last changed; the database writes the first one. */
type UpdatedAt = ColumnType<Date, Date | undefined, Date>;

/** A secret that others hold: only its hash is here. */
interface HashedSecretColumns {
  id: string;
  hash: Buffer;
  hint: string;
  created_at: CreatedAt;
  last_used_at: ColumnType<Date | null, never, Date>;
}

/**
 * Who may install a booking system for a pool without being asked for: the first booking system (`first`), any
 * (`any`), none (`approve`). An operator always may.
 */
export type InstallPolicy = 'first' | 'any' | 'approve';

/** An operator's app. */
export interface PoolTable {
  id: string;
  name: string;
  prefill_properties: Generated<string[]>;
  /** Who may install: see {@link InstallPolicy}. */
  installs: Generated<InstallPolicy>;
  /** What a request means that names no booking system; always one that is installed. */
  default_booking_system: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** What the waiver app of a pool shows to be let in. */
export interface AccessTokenTable extends HashedSecretColumns {
  pool: string;
}

/** The operator's settings of an installed plugin. */
export interface BookingSystemTable {
  install_name: string;
  base_url: string | null;
  settings_encrypted: string | null;
  updated_at: UpdatedAt;
}

/** The global install key of a booking system (contract 5). */
export interface InstallKeyTable extends HashedSecretColumns {
  booking_system: string;
}

/** A booking system installed for a pool; the row outlives an uninstall, so that its destination stays known. */
export interface InstallationTable {
  pool: string;
  booking_system: string;
  /** `pending` waits for an operator's approval: nothing is read or sent meanwhile. */
  status: 'installed' | 'pending' | 'uninstalled';
  /** Null after an uninstall. */
  account_id: string | null;
  account_id_is_number: Generated<boolean>;
  /** apiKey and account information; null after an uninstall. */
  account_encrypted: string | null;
  write_unit: 'waiver' | 'booking';
  /** Whether anything is enqueued for it. */
  takes_guest_updates: boolean;
  /** Whose id it is told a waiver by. */
  guest_id: Generated<'booking-guest-id' | 'waiver-id' | 'none'>;
  made_by: 'booking-system' | 'operator';
  share_properties: Generated<string[]>;
  share_allowed_by: string | null;
  share_allowed_at: Date | null;
  approved_by: string | null;
  approved_at: Date | null;
  /** The destination of kind `guest-update`. */
  destination_id: string;
  installed_at: Date;
  updated_at: UpdatedAt;
}

/** What a booking system shows when it calls on behalf of a pool (contract 5). */
export interface PoolKeyTable extends HashedSecretColumns {
  pool: string;
  booking_system: string;
  /** Null while it is the newest one. */
  expires_at: Date | null;
}

/** The last good answer of a booking system. */
export interface CachedBookingTable {
  pool: string;
  booking_system: string;
  booking_id: string;
  /** JSON text: `jsonb` would refuse what a partner may send (U+0000). */
  fetched: string;
  fetched_at: Date;
}

/** A booking that is to be read again in the background. */
export interface BookingRefreshTable {
  pool: string;
  booking_system: string;
  booking_id: string;
  /** Counts the requests, so that one which came in while the booking was being read is not lost. */
  request: Generated<number>;
  attempts: Generated<number>;
  due_at: Date;
  requested_at: CreatedAt;
}

/** A receiver of guest webhooks (contract 4.3). */
export interface WebhookTable {
  id: string;
  pool: string;
  url: string;
  auth_encrypted: string;
  properties: Generated<string[]>;
  /** The destination of kind `guest-webhook`. */
  destination_id: string;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** A signing secret of a webhook; the newest has no end. */
export interface WebhookSecretTable {
  id: string;
  webhook_id: string;
  secret_encrypted: string;
  created_at: CreatedAt;
  expires_at: Date | null;
}

/** What the encryption keys of a host must open; one row. */
export interface EncryptionCheckTable {
  id: Generated<boolean>;
  encrypted: string;
}

/** The tables that hold what was set up, as against what goes through. */
export interface ConfigurationTables {
  pool: PoolTable;
  access_token: AccessTokenTable;
  booking_system: BookingSystemTable;
  install_key: InstallKeyTable;
  installation: InstallationTable;
  pool_key: PoolKeyTable;
  cached_booking: CachedBookingTable;
  booking_refresh: BookingRefreshTable;
  webhook: WebhookTable;
  webhook_secret: WebhookSecretTable;
  encryption_check: EncryptionCheckTable;
}
