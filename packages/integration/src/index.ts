export { checkAddress, requirePool, requirePoolsExist } from './admin/admin-paths.ts';
export { changedOrProblem, sendTest, shownAuth, testMessage } from './admin/webhook-routes.ts';

export { BackgroundLoop, BackgroundWork } from './background-loop.ts';
export { textField } from './calls/install-key.ts';
export { BaseUrl, CheckIn, checkInUrl, IntegrationSettings, Log, Outbound, Store } from './given.ts';

export { integrationModule } from './integration-module.ts';

export { BookingSystemResolver } from './plugins/booking-system-resolver.ts';
export { BookingSystemConnector, type ConnectionUse } from './plugins/connect-booking-system.ts';
export { SessionKeepers } from './plugins/session-keepers.ts';
export {
  activitiesOf,
  dayIn,
  daysAfter,
  isCancelled,
  isSessionIn,
  type ListPeriod,
  lastDayOf,
  type SessionTime,
  shownSession,
} from './reading/booking-days.ts';
export { matchWaivers, prefillGuests, type SigningWaiver, validWaivers } from './reading/booking-guests.ts';
export { BookingReader, createSingleFlight } from './reading/booking-reader.ts';
export { bookingAnswer } from './reading/booking-routes.ts';
export { notInstalled } from './reading/booking-sources.ts';
export { BookingLister, type BookingListItem } from './reading/list-bookings.ts';
export { heldBackFor, isHeldBack } from './reading/read-breaker.ts';
export { DispatcherEvents, MessageSender, Sending } from './sending/create-sending.ts';
export { type AttemptEvent, AttemptTracing } from './sending/dispatcher-events.ts';

export { Authentication, type WaiverApp, waiverApp } from './serving/authenticate-callers.ts';
export {
  ListenError,
  type ServedModules,
  type ServedParts,
  type ServingSettings,
  serveModules,
} from './serving/serve-modules.ts';

export {
  checkBookingSystem,
  holdAnswer,
  missingWaiver,
  requireBookingSystem,
  waiverNotFound,
  waiverRecordAnswer,
  waiverTooLarge,
} from './waivers/waiver-problems.ts';
