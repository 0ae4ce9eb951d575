export { correctLastVisits, type VisitBooking } from './correct-last-visits.ts';
export type { CreateOutcome } from './create-waivers.ts';
export type { DeliveryState } from './deliveries-of.ts';
export type { WaiverListRequest } from './list-waivers.ts';
export { createWaivers, type UpdateOutcome, type VoidOutcome, type Waivers } from './waivers.ts';
export type { BookingWaiver } from './waivers-of-booking.ts';
