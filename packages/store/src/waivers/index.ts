export type { CreateOutcome } from './create-waivers.ts';
export type { DeliveryState } from './deliveries-of.ts';
export { createFillSearchJob } from './fill-search-job.ts';
export { followStoredBooking } from './follow-booking.ts';
export type { WaiverVersion } from './list-versions.ts';
export type { WaiverListRequest } from './list-waivers.ts';
export type { WaiverSearchPage, WaiverSearchRequest } from './search-waivers.ts';
export {
  createUnmatchedWaivers,
  type ProposedGuest,
  type UnmatchedReason,
  type UnmatchedWaiver,
  type UnmatchedWaivers,
} from './unmatched-waivers.ts';
export { type WaiverState, waiverStates } from './waiver-state.ts';
export { createWaivers, type UpdateOutcome, type VoidOutcome, type Waivers } from './waivers.ts';
export type { BookingWaiver } from './waivers-of-booking.ts';
