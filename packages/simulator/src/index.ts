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
export type { LimitedRequests, RecordingServer } from './http/recording-server.ts';
export type { RequestWindow } from './http/request-windows.ts';
export type { BookeoKeys, BookeoRoute } from './vendors/bookeo/answer-bookeo.ts';
export {
  type BookeoBooking,
  type BookeoCustomer,
  type BookeoCustomField,
  type BookeoParticipant,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
} from './vendors/bookeo/bookeo-booking.ts';
export { type BookeoOptions, type SimulatedBookeo, startBookeo } from './vendors/bookeo/start-bookeo.ts';
export type {
  CheckfrontNote,
  CheckfrontRoute,
} from './vendors/checkfront/answer-checkfront.ts';
export {
  type CheckfrontBooking,
  type CheckfrontItem,
  checkfrontBooking,
} from './vendors/checkfront/checkfront-booking.ts';
export {
  type CheckfrontOptions,
  type SimulatedCheckfront,
  startCheckfront,
} from './vendors/checkfront/start-checkfront.ts';
export type { CheckfrontWebhookFormat } from './vendors/checkfront/webhook-formats.ts';
export type { FareHarborKeys, FareHarborRoute } from './vendors/fareharbor/answer-fareharbor.ts';
export { type FareHarborBooking, fareHarborBooking } from './vendors/fareharbor/fareharbor-booking.ts';
export {
  type FareHarborOptions,
  type SimulatedFareHarbor,
  startFareHarbor,
} from './vendors/fareharbor/start-fareharbor.ts';
export { type OctoBooking, type OctoProduct, octoBooking } from './vendors/octo/octo-booking.ts';
export {
  type OctoOptions,
  type OctoRoute,
  type SimulatedOcto,
  startOcto,
} from './vendors/octo/start-octo.ts';
export { type RezdyBooking, type RezdyItem, rezdyBooking } from './vendors/rezdy/rezdy-booking.ts';
export {
  type RezdyOptions,
  type RezdyRoute,
  type SimulatedRezdy,
  startRezdy,
} from './vendors/rezdy/start-rezdy.ts';
export {
  type SimulatedXola,
  startXola,
  type XolaOptions,
  type XolaRoute,
} from './vendors/xola/start-xola.ts';
export { type XolaItem, type XolaOrder, xolaOrder } from './vendors/xola/xola-order.ts';
export {
  type ReceiverAuth,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver/start-webhook-receiver.ts';
