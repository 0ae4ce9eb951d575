export {
  type BookingCollection,
  type ServedForm,
  type SimulatedBooking,
  type SimulatedGuest,
  type SimulatedSession,
  seededBookings,
} from './booking-system/bookings.ts';
export {
  type AnnouncementAnswer,
  type BookingSystemOptions,
  type BookingSystemRoute,
  type Installation,
  type InstallCall,
  type SimulatedBookingSystem,
  startBookingSystem,
} from './booking-system/start-booking-system.ts';

export type { Fault, FaultPlan } from './faults/faults.ts';
export type { ReceivedRequest, SimulatedAnswer } from './http/received-request.ts';
export {
  type LimitedRequests,
  type RecordingServer,
  type RequestWindow,
  startRecordingServer,
} from './http/recording-server.ts';

export {
  AuthorizationGrants,
  answerTokenRequest,
  IssuedTokens,
  type TokenClient,
  type TokenSource,
} from './tokens/tokens.ts';

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
