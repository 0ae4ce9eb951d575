export { DataFolderInUse } from './embedded/host-lock.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded/start-embedded-postgres.ts';
export { CannotDecrypt, type EncryptionKey } from './encryption/encryption.ts';
export { UnsuitableDatabase } from './migrations/migrate.ts';
export { MalformedCursor } from './pages/cursor.ts';
export type { Page, PageRequest } from './pages/page.ts';
export type { Pool, PoolSettings, Pools } from './pools/pools.ts';
export { type GeneratedSecret, generateSecret, hashSecret, type SecretPrefix } from './secrets/secret.ts';
export { type OpenStoreOptions, openStore, type Store, type StoreEvent } from './store.ts';
