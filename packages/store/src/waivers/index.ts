export { maxAnswersBytes } from './answers-size.ts';
export { correctLastVisit, type VisitBooking } from './correct-last-visit.ts';
export type { CreateOutcome } from './create-waiver.ts';
export type { DeliveryState } from './deliveries-of.ts';
export type { VisitSession } from './last-visit.ts';
export type { WaiverListRequest } from './list-waivers.ts';
export type { Answers, JsonValue, NewWaiver, WaiverChange, WaiverRecord } from './waiver-record.ts';
export { createWaivers, type UpdateOutcome, type VoidOutcome, type Waivers } from './waivers.ts';
export type { BookingWaiver } from './waivers-of-booking.ts';
