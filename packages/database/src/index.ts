export {
  batchAcrossPools,
  batchCalls,
  isLockTimeout,
  type LockTimeout,
  limitsLockWait,
} from './batches/batch-calls.ts';

export { plannerSettings } from './connections/connect.ts';
export { type ConnectionRenewal, createConnectionRenewal } from './connections/connection-renewal.ts';
export {
  currentTime,
  type Database,
  type DatabaseTransaction,
  ListTooSlow,
  maxListMs,
  milliseconds,
  plugins,
  type Queryable,
  readList,
  retryDeadlock,
} from './connections/database.ts';
export { isNotifyQueueFull, prepared } from './connections/prepared-statements.ts';

export { sessionStatements, whyUnsuitableSession } from './connections/session-settings.ts';
export {
  CannotDecrypt,
  checkEncryptionKeys,
  createEncryption,
  type EncryptedColumn,
  type Encryption,
  type EncryptionKey,
  encryptionCheck,
  locate,
  requireMatchingKeys,
  type ValueLocation,
  WrongEncryptionKeys,
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
export { type BackgroundJob, periodicJob, startBackgroundJobs } from './jobs/background-jobs.ts';

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
  beforeFirstId,
  decodeCursor,
  decodeIdCursor,
  decodeTime,
  decodeUuidCursor,
  encodeCursor,
  idAfter,
  idBefore,
  idOfCursor,
  isUuid,
  limitPageBytes,
  MalformedCursor,
  maxPageBytes,
  type Page,
  type PagedRow,
  type PageRequest,
  pageById,
  pageOf,
  pageOfBytes,
} from './pages/pages.ts';

export {
  arrayOf,
  type ColumnType,
  columnName,
  definedColumns,
  omitNulls,
  type RowOf,
  rowsOf,
} from './statements/rows.ts';
