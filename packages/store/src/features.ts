// For features: their packages keep tables of their own beside the store's, with the same means.

export { eraseBookings, eraseBookingsNaming } from './bookings/erase-bookings.ts';
export { begunElsewhere, isBegun, isOfSameGuest } from './database/begun-waivers.ts';
export { idsOfBooking, referenceOf } from './database/booking-ids.ts';
export { forgetChangeClock } from './database/change-clock.ts';
export { notify } from './database/notifications.ts';
export { schema, schemaOf } from './database/schema.ts';
export type { Database, DatabaseTransaction, Tables } from './database/tables.ts';
export { isAfter, type UpcomingPosition } from './database/upcoming-position.ts';
export { reopenDeliveries } from './deliveries/reopen-deliveries.ts';
export type { HashEmail } from './encryption/email-hashes.ts';
export { allEncryptedColumns } from './encryption/encrypted-columns.ts';
export {
  findBySecret,
  isSameHash,
  isUnexpired,
  recordUse,
  type UsedKey,
} from './keys/key-info.ts';
export { generateSecret, hashSecret } from './keys/secret.ts';
export { inPools } from './pools/in-pools.ts';
export type { ErasedGuest, FeatureData, PlacedWaiver, StoreContext } from './store-context.ts';
export { type ChangeParts, changeInTransaction } from './waivers/change-waivers.ts';
export { emptyWaivers, markErased, unlistErased } from './waivers/erase-waivers.ts';
export { versionsOf } from './waivers/list-versions.ts';
export { lockGuests } from './waivers/lock-guests.ts';
export { markSigned } from './waivers/mark-signed.ts';
export { lockBookings } from './waivers/read-bookings.ts';
export { readRecipients } from './waivers/read-recipients.ts';
export { removeWaivers } from './waivers/remove-waivers.ts';
export { recordOf, type WaiverRow, waiverColumns } from './waivers/waiver-columns.ts';
export { announceChanges } from './waivers/waivers.ts';
export { type BookingWaiver, readWaiversOf } from './waivers/waivers-of-booking.ts';
export { withdrawAnswers } from './waivers/withdraw-answers.ts';
export { insertWaivers, type Written } from './waivers/write-waivers.ts';
export { requireCredentialsFor } from './webhooks/kept-credentials.ts';
export { newSigningSecret } from './webhooks/signing-secrets.ts';
export { parseAuth } from './webhooks/webhook-endpoint.ts';
