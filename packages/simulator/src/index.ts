export {
  type BookingCollection,
  type ServedForm,
  type SimulatedBooking,
  type SimulatedGuest,
  type SimulatedSession,
  seededBookings,
} from './booking-system/bookings.ts';
export type { AnnouncementAnswer, Installation, InstallCall } from './booking-system/installations.ts';
export {
  type BookingSystemOptions,
  type BookingSystemRoute,
  type SimulatedBookingSystem,
  startBookingSystem,
} from './booking-system/start-booking-system.ts';
export type { Fault, FaultPlan } from './faults/fault.ts';
export type { ReceivedRequest, SimulatedAnswer } from './http/received-request.ts';
export { type LimitedRequests, type RecordingServer, startRecordingServer } from './http/recording-server.ts';
export type { RequestWindow } from './http/request-windows.ts';
export {
  answerTokenRequest,
  IssuedTokens,
  type TokenClient,
  type TokenSource,
} from './tokens/answer-token-request.ts';
export { AuthorizationGrants } from './tokens/authorization-grants.ts';
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
