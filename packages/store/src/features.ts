// For features: their packages keep tables of their own beside the store's, with the same means.
export { idsOfBooking, referenceOf } from './database/booking-ids.ts';
export { forgetChangeClock } from './database/change-clock.ts';
export { notify } from './database/notifications.ts';
export { schema, schemaOf } from './database/schema.ts';
export type { Database, DatabaseTransaction, Tables } from './database/tables.ts';
export { closeDestination } from './destinations/close-destination.ts';
export { openDestination, probeSoon } from './destinations/open-destination.ts';
export { allEncryptedColumns } from './encryption/encrypted-columns.ts';
export type { FeatureData, Occurrence, PlacedWaiver } from './feature-data.ts';
export {
  findBySecret,
  isSameHash,
  isUnexpired,
  type KeyInfo,
  recordUse,
  type UsedKey,
} from './keys/key-info.ts';
export { generateSecret, hashSecret } from './keys/secret.ts';
export { shownState, stateOfDelivery } from './outbox/delivery-state.ts';
export { enqueuing } from './outbox/enqueuing.ts';
export { isHeld } from './outbox/hold-destinations.ts';
export { inPools } from './pools/in-pools.ts';
export type { StoreContext } from './store-context.ts';
export { requireCredentialsFor } from './webhooks/kept-credentials.ts';
export { newSigningSecret } from './webhooks/signing-secrets.ts';
export { parseAuth } from './webhooks/webhook-endpoint.ts';
