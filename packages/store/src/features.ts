// For features: their packages keep tables of their own beside the store's, with the same means.

export { isAfter, type UpcomingPosition } from './bookings/bookings.ts';
export { eraseBookings, eraseBookingsNaming } from './bookings/stored-bookings.ts';
export { begunElsewhere, isBegun, isOfSameGuest } from './database/begun-waivers.ts';
export { bookingTypes, idsOfBooking, referenceOf } from './database/booking-ids.ts';
export { forgetChangeClock } from './database/change-clock.ts';
export { notify } from './database/notifications.ts';
export { schema, schemaOf } from './database/schema.ts';
export type { Database, DatabaseTransaction, Tables } from './database/tables.ts';
export { reopenDeliveries } from './deliveries/reopen-deliveries.ts';
export type { HashEmail } from './encryption/email-hashes.ts';
export { allEncryptedColumns } from './encryption/encrypted-columns.ts';
export {
  findBySecret,
  generateSecret,
  hashSecret,
  isSameHash,
  isUnexpired,
  recordUse,
  type UsedKey,
} from './keys/secret.ts';

export { inPools } from './pools/pools.ts';
export type { ErasedGuest, FeatureData, PlacedWaiver, StoreContext } from './store-context.ts';
export { type ChangeParts, changeInTransaction } from './waivers/change-waivers.ts';
export { versionsOf } from './waivers/list-waivers.ts';
export { lockBookings, readRecipients } from './waivers/readings.ts';
export { lockGuests, markSigned } from './waivers/signings.ts';
export { emptyWaivers, markErased, removeWaivers, unlistErased } from './waivers/waiver-retention.ts';

export { recordOf, type WaiverRow, waiverColumns } from './waivers/waiver-rows.ts';
export { announceChanges } from './waivers/waivers.ts';
export { type BookingWaiver, readWaiversOf } from './waivers/waivers-of-booking.ts';
export { withdrawAnswers } from './waivers/withdraw-answers.ts';
export { insertWaivers, type Written } from './waivers/write-waivers.ts';
export { newSigningSecret, parseAuth, requireCredentialsFor } from './webhooks/webhook-endpoint.ts';
