export type { BookingSystemSettings } from './booking-systems/booking-systems.ts';
export type {
  BookingSystemSessions,
  Renewal,
  SessionState,
  StoredSession,
} from './booking-systems/sessions.ts';
export type { AliasOutcome, NewAlias } from './bookings/add-booking-alias.ts';
export type { ChangesClaim } from './bookings/booking-changes.ts';
export type { Bookings } from './bookings/bookings.ts';
export type { UpcomingBooking } from './bookings/list-upcoming.ts';
export {
  maxQueuedRefreshes,
  type RefreshPosition,
  type RefreshRequest,
  refreshWaitMs,
} from './bookings/refresh-queue.ts';
export type { QueriedInstallation, ReadBooking } from './bookings/upsert-bookings.ts';
export type { Changes } from './changes/changes.ts';
export type { ChangedWaiver } from './changes/list-changes.ts';
export type { UpcomingPosition } from './database/upcoming-position.ts';
export type { StoredDelivery } from './deliveries/delivery-item.ts';
export {
  maxRunningRecoveries,
  maxRunningRecoveriesPerPool,
  type RecoverOutcome,
} from './deliveries/recoveries.ts';
export type { DestinationStatus } from './destinations/destinations.ts';
export { rotateEncryptionKeys } from './encryption/rotate-keys.ts';
export type { SendingManifest } from './installations/apply-manifest.ts';
export type { InstallRequest, InstallResult } from './installations/install.ts';
export type { Installation } from './installations/installation.ts';
export type { BookingSystemConfiguration, Installations } from './installations/installations.ts';
export type { AddressChange } from './installations/set-address.ts';
export type { UninstallRequest, UninstallResult } from './installations/uninstall.ts';
export type { DueWebhooks, WebhookAttempt } from './installations/vendor-webhooks.ts';
export type { InstallKeys } from './keys/install-keys.ts';
export type { PoolOfKey } from './keys/pool-keys.ts';
export type { AccessTokens } from './pools/access-tokens.ts';
export type { PoolSetup, TokenSetup } from './pools/pool-setups.ts';
export { DefaultNotInstalled } from './pools/pools.ts';
export { type OpenStoreOptions, openStore, type Retention, type Store } from './store.ts';
export type { StoreEvent } from './store-context.ts';
export type { Attachment, AttachOutcome, AttachRequest } from './waivers/attach-waivers.ts';
export type { CreateOutcome } from './waivers/create-waivers.ts';
export type { Hold } from './waivers/holds.ts';
export type { WaiverListRequest } from './waivers/list-waivers.ts';
export type { WaiverSearchRequest } from './waivers/search-waivers.ts';
export type { UnmatchedReason, UnmatchedWaivers } from './waivers/unmatched-waivers.ts';
export type { Waivers } from './waivers/waivers.ts';
export type { BookingWaiver } from './waivers/waivers-of-booking.ts';
export { CredentialsNeeded } from './webhooks/kept-credentials.ts';
export type { WebhookAuth, WebhookEndpoint } from './webhooks/webhook-endpoint.ts';
export {
  maxWebhooksPerPool,
  TooManyWebhooks,
  type WebhookChange,
  type WebhookResult,
  type WebhookSettings,
  type Webhooks,
} from './webhooks/webhooks.ts';
