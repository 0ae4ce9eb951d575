export { type Alert, type AlertEvent, type AlertTarget, alertEvents } from './alerts/alert.ts';
export {
  type AlertChange,
  type AlertResult,
  type AlertSettings,
  type Alerts,
  maxAlerts,
} from './alerts/alerts.ts';
export type { AlertOccurrence } from './alerts/occurrences.ts';
export type { SentAlert } from './alerts/sent-alerts.ts';
export type { AuditEntry, AuditedOutcome, AuditedRequest, AuditFilter, AuditLog } from './audit/audit-log.ts';
export { BackupProblem } from './backups/backup-problem.ts';
export {
  type RestoreBackupOptions,
  type RestoredBackup,
  restoreBackup,
} from './backups/restore-backup.ts';
export {
  type BackupProgress,
  type WriteBackupOptions,
  type WrittenBackup,
  writeBackup,
} from './backups/write-backup.ts';
export type {
  BookingSystemSettings,
  BookingSystemSettingsChange,
  BookingSystems,
} from './booking-systems/booking-systems.ts';
export type { AliasOutcome, NewAlias } from './bookings/add-booking-alias.ts';
export type {
  BookingChangesQueue,
  ChangesClaim,
  ChangesClaimLimits,
  ToldChanges,
} from './bookings/booking-changes.ts';
export type { Bookings } from './bookings/bookings.ts';
export type { RefreshPosition, RefreshRequest } from './bookings/refresh-queue.ts';
export type { AskedInstallation, ReadBooking } from './bookings/upsert-bookings.ts';
export type { MovedPools } from './cells/moved-pools.ts';
export type { Changes, ChangesRequest, ChangesResult } from './changes/changes.ts';
export type { ChangedWaiver } from './changes/list-changes.ts';
export type {
  BookingSystemConfiguration,
  DestinationVersion,
  PoolSetup,
} from './configurations/configuration.ts';
export type { TokenSetup } from './configurations/pool-setups.ts';
export type { StoreReadiness } from './database/readiness.ts';
export type { InstallPolicy, Role } from './database/tables-configuration.ts';
export type { DestinationKind, DestinationStatus } from './database/tables-outbox.ts';
export {
  type AttemptItem,
  type Deliveries,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliveryItem,
  type DeliveryLane,
  type DeliveryStateName,
  deliveryStateNames,
  type LaneItem,
  type LaneSide,
  maxCounted,
  maxRunningRecoveries,
  type RecoverOutcome,
  type RecoverRequest,
  type Recovery,
  type RetryOutcome,
} from './deliveries/index.ts';
export type {
  ActivityBucket,
  ActivityRequest,
  DestinationActivities,
  DestinationActivity,
} from './destination-activity/index.ts';
export type { DestinationItem, Destinations } from './destinations/index.ts';
export { WrongEncryptionKeys } from './encryption/check-encryption-keys.ts';
export { CannotDecrypt, type EncryptionKey } from './encryption/encryption.ts';
export {
  type KeyRotation,
  type KeyUse,
  type LostValue,
  type RotateKeysOptions,
  rotateEncryptionKeys,
} from './encryption/rotate-keys.ts';
export type { LiveChange, LiveEvents, LiveListener } from './events/index.ts';
export { type DatabaseExamination, examineDatabase } from './examination/examine-database.ts';
export {
  type ErasedWaiver,
  type Erasure,
  type ErasureOutcome,
  type Erasures,
  type ExportedAttempt,
  type ExportedDelivery,
  type ExportedWaiver,
  type GuestReference,
  type Guests,
  type Hold,
  type Holds,
  maxErasedWaivers,
} from './guests/index.ts';
export type { SendingManifest } from './installations/apply-manifest.ts';
export type { InstallRequest, InstallResult } from './installations/install.ts';
export type { Installation, InstallationAccount } from './installations/installation.ts';
export type { InstallationSummary } from './installations/installation-summary.ts';
export type { Installations } from './installations/installations.ts';
export type { AddressChange } from './installations/set-address.ts';
export type { UninstallRequest, UninstallResult } from './installations/uninstall.ts';
export type { AccessToken, AccessTokenSettings, AccessTokens } from './keys/access-tokens.ts';
export type { Credential, CredentialSettings, Credentials } from './keys/credentials.ts';
export type { InstallKeys } from './keys/install-keys.ts';
export type { IssuerVisit, IssuerVisits } from './keys/issuer-visits.ts';
export type { KeyInfo } from './keys/key-info.ts';
export {
  type IssuerPerson,
  maxSessionMs,
  type PersonSession,
  type PersonSessions,
  type SessionOwner,
} from './keys/person-sessions.ts';
export type { PoolOfKey } from './keys/pool-keys.ts';
export { type TokenScope, tokenScopes } from './keys/token-scopes.ts';
export { UnsuitableDatabase } from './migrations/migrate.ts';
export { type CancelMoveOptions, cancelMove } from './moves/cancel-move.ts';
export { type MovedPool, type MovePoolOptions, type MoveProgress, movePool } from './moves/move-pool.ts';
export { MoveProblem } from './moves/move-problem.ts';
export { isPoolMoving } from './moves/moving-pools.ts';
export type {
  AttemptOutcome,
  AttemptRecord,
  AttemptTrigger,
  ClaimedDelivery,
  ClaimingDispatcher,
  ClaimRequest,
  DecideLoss,
  DeliveryDecision,
  DestinationHealth,
  DestinationHold,
  DestinationShare,
  DestinationWork,
  FinishedDelivery,
  GrantedShare,
  LaneCount,
  LossDecision,
  OutboundMessage,
  Outbox,
  OutboxListener,
  PauseChange,
  PausePolicy,
  ProbeRequest,
  Withdrawal,
  WorkFound,
  WorkRequest,
} from './outbox/index.ts';
export type { FirstSteps } from './overview/first-steps.ts';
export type { Overview, OverviewBucket, OverviewRequest, Overviews } from './overview/overview.ts';
export type { ServiceFigures } from './overview/service-figures.ts';
export { MalformedCursor } from './pages/cursor.ts';
export type { Page, PageRequest } from './pages/page.ts';
export { maxPageBytes } from './pages/page-bytes.ts';
export { DefaultNotInstalled, type Pool, type PoolSettings, type Pools } from './pools/pools.ts';
export type {
  BudgetRequest,
  RequestBudgets,
  TakenRequests,
  UnusedRequests,
} from './request-budgets/index.ts';
export type { OldestKept, PrunedKind } from './retention/index.ts';
export type {
  AuthorizationRequests,
  AuthorizationVisit,
  BookingSystemSessions,
  Loss,
  LostAuthorization,
  Renewal,
  RenewalRequest,
  SessionState,
  StoredSession,
} from './sessions/index.ts';
export { type OpenStoreOptions, openStore, type Retention, type Store } from './store.ts';
export type { StoreEvent } from './store-context.ts';
export type {
  DueWebhooks,
  VendorWebhooks,
  WebhookAddress,
  WebhookAttempt,
  WebhookRegistration,
} from './vendor-webhooks/vendor-webhooks.ts';
export {
  type BookingWaiver,
  type CreateOutcome,
  type DeliveryState,
  type ProposedGuest,
  type UnmatchedReason,
  type UnmatchedWaiver,
  type UnmatchedWaivers,
  type UpdateOutcome,
  type VoidOutcome,
  type WaiverListRequest,
  type WaiverSearchPage,
  type WaiverSearchRequest,
  type WaiverState,
  type Waivers,
  type WaiverVersion,
  waiverStates,
} from './waivers/index.ts';
export { CredentialsNeeded } from './webhooks/kept-credentials.ts';
export type { WebhookAuth, WebhookEndpoint } from './webhooks/webhook-endpoint.ts';
export type { WebhookChange, WebhookResult, WebhookSettings, Webhooks } from './webhooks/webhooks.ts';
