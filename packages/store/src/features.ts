// For features: their packages keep tables of their own beside the store's, with the same means.
export type { Database, Tables } from './database/tables.ts';
export type { FeatureData } from './feature-data.ts';
export {
  findBySecret,
  isSameHash,
  isUnexpired,
  type KeyInfo,
  recordUse,
  type UsedKey,
} from './keys/key-info.ts';
export { generateSecret, hashSecret } from './keys/secret.ts';
export { inPools } from './pools/in-pools.ts';
export type { StoreContext } from './store-context.ts';
