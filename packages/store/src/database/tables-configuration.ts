import type { ColumnType, Generated } from 'kysely';
import type { TokenScope } from '../keys/token-scopes.ts';

/** Set by the database at insert, in milliseconds. */
type CreatedAt = ColumnType<Date, never, never>;
/** Set by the database at insert; every update sets it. */
type UpdatedAt = ColumnType<Date, Date | undefined, Date>;

/** A secret that is stored only as a hash. */
interface HashedSecretColumns {
  id: string;
  hash: Buffer;
  hint: string;
  created_at: CreatedAt;
  last_used_at: ColumnType<Date | null, never, Date>;
}

/**
 * Which booking systems can install themselves for a pool without an operator's approval: the pool's first one
 * (`first`), any (`any`) or none (`approve`).
 */
export type InstallPolicy = 'first' | 'any' | 'approve';

/** A pool: one app of an operator, with its waivers. */
export interface PoolTable {
  id: string;
  name: string;
  prefill_properties: Generated<string[]>;
  installs: Generated<InstallPolicy>;
  /** Used for requests that name no booking system; always an installed one. */
  default_booking_system: string | null;
  /** How many days after a visit its waiver is removed; null: never. */
  retention_waivers_days: number | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Tokens with which a pool's waiver app authenticates. */
export interface AccessTokenTable extends HashedSecretColumns {
  pool: string;
  name: string | null;
  scopes: TokenScope[];
  expires_at: Date | null;
}

/**
 * The rights of a person or a program: an `owner` everything, an `operator` all that its pools need, a `viewer` read its
 * pools without the guests' data.
 */
export type Role = 'owner' | 'operator' | 'viewer';

/** Tokens of people and programs that operate the service. */
export interface CredentialTable extends HashedSecretColumns {
  name: string;
  role: Role;
  /** Null: all. */
  pools: string[] | null;
  expires_at: Date | null;
}

/** The operator's settings of an installed plugin. */
export interface BookingSystemTable {
  install_name: string;
  base_url: string | null;
  settings_encrypted: string | null;
  updated_at: UpdatedAt;
}

/** Global install keys of booking systems (contract 5). */
export interface InstallKeyTable extends HashedSecretColumns {
  booking_system: string;
}

/** A booking system installed for a pool. The row survives an uninstall: deliveries still refer to its destination. */
export interface InstallationTable {
  pool: string;
  booking_system: string;
  /** `pending` awaits an operator's approval: until then nothing is read or sent. */
  status: 'installed' | 'pending' | 'uninstalled';
  /** Null after an uninstall. */
  account_id: string | null;
  account_id_is_number: Generated<boolean>;
  /** apiKey and account information; null after an uninstall. */
  account_encrypted: string | null;
  write_unit: 'waiver' | 'booking';
  /** If false, nothing is enqueued for it. */
  takes_guest_updates: boolean;
  /** Which id a Guest Update identifies the guest by. */
  guest_id: Generated<'booking-guest-id' | 'waiver-id' | 'none'>;
  made_by: 'booking-system' | 'operator';
  /** Instead of the booking system's own; null if there is none. */
  base_url: string | null;
  environment: 'live' | 'test' | null;
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

/** The tokens of an installation, and their renewal. */
export interface BookingSystemSessionTable {
  destination: string;
  /** Incremented with each session. */
  version: Generated<number>;
  /** Null before the first one. */
  session_encrypted: string | null;
  /** The renewal under way or, once its lease has run out, one that ended without a record. */
  renewing_by: string | null;
  renewing_until: Date | null;
  /** Since when the booking system refuses to renew it, and why. */
  lost_since: Date | null;
  lost_reason: string | null;
  /** Refusals in a row. */
  failures: Generated<number>;
  /** When it is tried again. */
  retry_at: Date | null;
}

/** Visits of operators' browsers to a booking system's authorization page. */
export interface AuthorizationRequestTable {
  state_hash: Buffer;
  destination: string;
  booking_system: string;
  /** The PKCE verifier. */
  verifier_encrypted: string;
  expires_at: Date;
}

/** App pool keys, with which a booking system authenticates its calls for a pool (contract 5). */
export interface PoolKeyTable extends HashedSecretColumns {
  pool: string;
  booking_system: string;
  /** Null for the newest key, and for that of webhooks. */
  expires_at: Date | null;
  /** Whether it is the key in the address of webhooks that the service registered. */
  of_webhook: Generated<boolean>;
}

/** The last valid response of a booking system. */
export interface CachedBookingTable {
  pool: string;
  booking_system: string;
  booking_id: string;
  /** JSON as text: `jsonb` rejects U+0000, which a partner may send. */
  fetched: string;
  fetched_at: Date;
}

/** An id by which a booking is asked for, other than its own. */
export interface BookingAliasTable {
  pool: string;
  booking_system: string;
  alias: string;
  /** The booking's own id; never an alias itself. */
  booking_id: string;
  /** When it is removed, if the pool has no waiver of the booking by then. */
  prune_at: Date;
}

/** How far a booking system has told of changes, for one installation. */
export interface BookingChangesTable {
  pool: string;
  booking_system: string;
  /** Of the last call; null before the first one. */
  cursor: string | null;
  /** Infinity if only a request leads to a call. */
  due_at: Date;
  /** Counts the calls, from the time in microseconds at which the row was made. */
  claim: Generated<string>;
  /** Whether a call is under way; then it is due again when its lease is over. */
  claimed: Generated<boolean>;
  /** Incremented by each request, so that one made during a call is not lost. */
  request: Generated<string>;
  /** In a row. */
  failures: Generated<number>;
}

/** A booking to be read again in the background. */
export interface BookingRefreshTable {
  pool: string;
  booking_system: string;
  booking_id: string;
  /** Incremented by each request, so that one made while the booking is being read is not lost. */
  request: Generated<number>;
  attempts: Generated<number>;
  due_at: Date;
  requested_at: CreatedAt;
}

/** Messages of booking systems that were taken. */
export interface InboundMessageTable {
  pool: string;
  booking_system: string;
  /** SHA-256 of the vendor's message id. */
  message: Buffer;
  received_at: CreatedAt;
}

/** Webhooks that the service registers at a vendor, for one installation. */
export interface VendorWebhookTable {
  /** The installation's; an install after an uninstall has another one, and a row of its own. */
  destination: string;
  pool: string;
  booking_system: string;
  state: Generated<'registering' | 'registered' | 'failing' | 'off' | 'removing'>;
  /** The app pool key in the address; null until the first attempt. */
  key_encrypted: string | null;
  /** Below which addresses webhooks may be registered; the last one is current. */
  base_urls: Generated<string[]>;
  /** A copy for the removal, once uninstalled. */
  account_encrypted: string | null;
  /** Incremented by each change, so that one made during an attempt is not lost. */
  request: Generated<number>;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  /** No other host makes an attempt until then. */
  leased_until: Generated<Date>;
  give_up_at: Date | null;
  registered_at: Date | null;
  failed_at: Date | null;
  failure_code: string | null;
  failure_message: string | null;
}

/** One row: the address below which vendors call. */
export interface InboundBaseUrlTable {
  id: Generated<boolean>;
  base_url: string;
}

/** Receivers of guest webhooks (contract 4.3). */
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

/** Signing secrets of webhooks. */
export interface WebhookSecretTable {
  id: string;
  webhook_id: string;
  secret_encrypted: string;
  created_at: CreatedAt;
  /** Null for the newest secret. */
  expires_at: Date | null;
}

/** One row: a known value, with which each start verifies the encryption keys. */
export interface EncryptionCheckTable {
  id: Generated<boolean>;
  encrypted: string;
}

/** Requests of people and keys. Append-only: a trigger refuses what is not an insert, the end of a request or pruning. */
export interface AuditEntryTable {
  id: string;
  at: CreatedAt;
  actor: string;
  name: string | null;
  action: string;
  pool: string | null;
  target: string | null;
  request_id: string;
  address: string;
  /** Null until the request has ended. */
  status: number | null;
}

/** A backup that our command wrote. */
export interface BackupTable {
  id: Generated<number>;
  /** The moment of its snapshot. */
  taken_at: Date;
  /** The encryption key that opens it. */
  key_id: string;
  file_bytes: number;
}

/** Tables of configuration, caches of bookings included. */
export interface ConfigurationTables {
  pool: PoolTable;
  access_token: AccessTokenTable;
  credential: CredentialTable;
  booking_system: BookingSystemTable;
  install_key: InstallKeyTable;
  installation: InstallationTable;
  booking_system_session: BookingSystemSessionTable;
  authorization_request: AuthorizationRequestTable;
  pool_key: PoolKeyTable;
  cached_booking: CachedBookingTable;
  booking_alias: BookingAliasTable;
  booking_changes: BookingChangesTable;
  booking_refresh: BookingRefreshTable;
  inbound_message: InboundMessageTable;
  inbound_base_url: InboundBaseUrlTable;
  vendor_webhook: VendorWebhookTable;
  webhook: WebhookTable;
  webhook_secret: WebhookSecretTable;
  encryption_check: EncryptionCheckTable;
  audit_entry: AuditEntryTable;
  backup: BackupTable;
}
