export type { BookingCollection } from './booking-system/booking-collection.ts';
export type { ServedForm } from './booking-system/booking-forms.ts';
export type {
  AnnouncementAnswer,
  Installation,
  InstallCall,
} from './booking-system/installations.ts';
export { seededBookings } from './booking-system/seeded-bookings.ts';
export type {
  SimulatedBooking,
  SimulatedGuest,
  SimulatedSession,
} from './booking-system/simulated-booking.ts';
export {
  type BookingSystemOptions,
  type BookingSystemRoute,
  type SimulatedBookingSystem,
  startBookingSystem,
} from './booking-system/start-booking-system.ts';
export type { Fault } from './faults/fault.ts';
export type { FaultPlan } from './faults/fault-plan.ts';
export type { ReceivedRequest, SimulatedAnswer } from './http/received-request.ts';
export {
  type LimitedRequests,
  type RecordingServer,
  startRecordingServer,
} from './http/recording-server.ts';
export type { RequestWindow } from './http/request-windows.ts';
export { answerTokenRequest, type TokenClient, type TokenSource } from './tokens/answer-token-request.ts';
export { AuthorizationGrants } from './tokens/authorization-grants.ts';
export { IssuedTokens } from './tokens/issued-tokens.ts';
export {
  type ExpectedRead,
  movedTo,
  slow,
  type VendorJourney,
  type VendorRecord,
  type VendorSystem,
} from './vendor-journey.ts';
export {
  type ReceiverAuth,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver/start-webhook-receiver.ts';
