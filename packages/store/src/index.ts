export type { BookingSystemSettings } from './booking-systems/booking-systems.ts';
export type {
  BookingSystemSessions,
  Renewal,
  SessionState,
  StoredSession,
} from './booking-systems/sessions.ts';
export type { AliasOutcome, NewAlias } from './bookings/add-booking-alias.ts';
export type { ChangesClaim } from './bookings/booking-changes.ts';
export type { Bookings, UpcomingBooking, UpcomingPosition } from './bookings/bookings.ts';

export {
  maxQueuedRefreshes,
  type RefreshPosition,
  type RefreshRequest,
  refreshWaitMs,
} from './bookings/refresh-queue.ts';
export type { QueriedInstallation, ReadBooking } from './bookings/stored-bookings.ts';
export type { ChangedWaiver, Changes } from './changes/changes.ts';

export type { StoredDelivery } from './deliveries/list-deliveries.ts';
export {
  maxRunningRecoveries,
  maxRunningRecoveriesPerPool,
  type RecoverOutcome,
} from './deliveries/recoveries.ts';
export type { DestinationStatus } from './destinations/destinations.ts';
export { rotateEncryptionKeys } from './encryption/encrypted-columns.ts';
export type { SendingManifest } from './installations/apply-manifest.ts';
export type { InstallRequest, InstallResult } from './installations/install.ts';
export type { Installation } from './installations/installation.ts';
export type { BookingSystemConfiguration, Installations } from './installations/installations.ts';
export type { AddressChange } from './installations/set-address.ts';
export type { UninstallRequest, UninstallResult } from './installations/uninstall.ts';
export type { DueWebhooks, WebhookAttempt } from './installations/vendor-webhooks.ts';
export type { InstallKeys, PoolOfKey } from './keys/booking-system-keys.ts';
export type { PoolSetup, TokenSetup } from './pools/pool-setups.ts';
export { type AccessTokens, DefaultNotInstalled } from './pools/pools.ts';

export { type OpenStoreOptions, openStore, type Retention, type Store } from './store.ts';
export type { StoreEvent } from './store-context.ts';
export type { CreateOutcome } from './waivers/create-waivers.ts';
export type { UnmatchedReason, UnmatchedWaivers } from './waivers/follow-booking.ts';
export type { WaiverListRequest } from './waivers/list-waivers.ts';
export type { WaiverSearchRequest } from './waivers/search-waivers.ts';
export type { Hold } from './waivers/waiver-retention.ts';
export type { Waivers } from './waivers/waivers.ts';
export type {
  Attachment,
  AttachOutcome,
  AttachRequest,
  BookingWaiver,
} from './waivers/waivers-of-booking.ts';

export { CredentialsNeeded, type WebhookAuth, type WebhookEndpoint } from './webhooks/webhook-endpoint.ts';

export {
  maxWebhooksPerPool,
  TooManyWebhooks,
  type WebhookChange,
  type WebhookResult,
  type WebhookSettings,
  type Webhooks,
} from './webhooks/webhooks.ts';
