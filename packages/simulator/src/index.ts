export type { ServedForm } from './booking-system/booking-forms.ts';
export type { BookingShelf } from './booking-system/booking-shelf.ts';
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
export type { RecordingServer } from './http/recording-server.ts';
export type { FareHarborKeys, FareHarborRoute } from './vendors/fareharbor/answer-fareharbor.ts';
export { type FareHarborBooking, fareHarborBooking } from './vendors/fareharbor/fareharbor-booking.ts';
export {
  type FareHarborOptions,
  type SimulatedFareHarbor,
  startFareHarbor,
} from './vendors/fareharbor/start-fareharbor.ts';
export {
  type ReceiverAuth,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver/start-webhook-receiver.ts';
