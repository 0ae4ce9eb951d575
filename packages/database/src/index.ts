export {
  batchAcrossPools,
  isLockTimeout,
  type LockTimeout,
  limitsLockWait,
} from './batches/batch-across-pools.ts';
export { batchCalls } from './batches/batch-calls.ts';
export { plannerSettings } from './connections/connect.ts';
export { type ConnectionRenewal, createConnectionRenewal } from './connections/connection-renewal.ts';
export {
  currentTime,
  type Database,
  type DatabaseTransaction,
  plugins,
  type Queryable,
} from './connections/database.ts';
export { isNotifyQueueFull, prepared } from './connections/prepared-statements.ts';
export { ListTooSlow, maxListMs, readList } from './connections/read-list.ts';
export { retryDeadlock } from './connections/retry-deadlock.ts';
export { sessionStatements, whyUnsuitableSession } from './connections/session-settings.ts';
export {
  checkEncryptionKeys,
  encryptionCheck,
  requireMatchingKeys,
  WrongEncryptionKeys,
} from './encryption/check-encryption-keys.ts';
export {
  CannotDecrypt,
  createEncryption,
  type EncryptedColumn,
  type Encryption,
  type EncryptionKey,
  locate,
  type ValueLocation,
} from './encryption/encryption.ts';
export {
  countKeyUses,
  type KeyRotation,
  type KeyUse,
  type LostValue,
  openStoredValues,
  type RotateKeysOptions,
  rotateKeys,
} from './encryption/rotate-keys.ts';
export { type BackgroundJob, startBackgroundJobs } from './jobs/background-jobs.ts';
export { periodicJob } from './jobs/periodic-job.ts';
export type { Readiness } from './migrations/readiness.ts';
export {
  appliedMigrations,
  holdOffMigrations,
  type MigrationWait,
  runMigrations,
  runMigrationsAtOnce,
} from './migrations/run-migrations.ts';
export {
  requireSupportedServer,
  Schema,
  type SchemaOptions,
  UnsuitableDatabase,
  whyTooOldServer,
} from './migrations/schema.ts';
export { type SchemaMigration, whyTooOld } from './migrations/schema-migration.ts';
export type { TablesOf } from './migrations/table-types.ts';
export { createNotifications, type Notifications, notify } from './notifications/notifications.ts';
export {
  decodeCursor,
  decodeIdCursor,
  decodeTime,
  decodeUuidCursor,
  encodeCursor,
  idOfCursor,
  MalformedCursor,
  pageById,
  pageOf,
} from './pages/cursor.ts';
export { beforeFirstId, idAfter, idBefore, isUuid } from './pages/ids-of-times.ts';
export type { Page, PageRequest } from './pages/page.ts';
export { limitPageBytes, maxPageBytes, type PagedRow, pageOfBytes } from './pages/page-bytes.ts';
export { definedColumns } from './statements/defined-columns.ts';
export { omitNulls, type RowOf } from './statements/nullable-rows.ts';
export { arrayOf, type ColumnType, columnName, rowsOf } from './statements/rows-of.ts';
