import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import type { Faults } from '../alerts/fault-reporter.ts';
import type { Mailer } from '../alerts/mailer.ts';
import type { RequestAudit } from '../audit/audit-requests.ts';
import type { AdminSeal } from '../authentication/admin-seal.ts';
import type { CallerIdentification } from '../authentication/identify-callers.ts';
import type { BackgroundWork } from '../background/background-loop.ts';
import type { BookingReader } from '../booking-reading/booking-reader.ts';
import type { BookingSources } from '../booking-reading/booking-sources.ts';
import type { BookingLister } from '../booking-reading/list-bookings.ts';
import type { AuthorizationVisits } from '../booking-systems/authorization-visits.ts';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { SessionKeepers } from '../booking-systems/session-keepers.ts';
import type { GuestBudgets } from '../check-in/guest-budgets.ts';
import type { GuestTurns } from '../check-in/guest-turns.ts';
import type { DayReader } from '../days/read-day.ts';
import type { DayRefresh } from '../days/refresh-day.ts';
import type { HostApps, RouteModule } from '../http/host-app.ts';
import type { KeyThrottle } from '../integration/install-key.ts';
import type { HostMetrics } from '../operations/metrics.ts';
import type { Readiness } from '../operations/readiness.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import type { IssuerSignIn } from '../sign-in/issuer-sign-in.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { RouteServices } from './route-services.ts';

/** An inversify identifier that carries the type of its service. */
const token = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);

/** All services of the host, under the names by which they inject each other. */
export const tokens = {
  settings: token<HostSettings>('settings'),
  adminToken: token<string>('adminToken'),
  /** The public base address, without a trailing slash; known once the host listens. */
  baseUrl: token<() => string>('baseUrl'),
  store: token<Store>('store'),
  log: token<FastifyBaseLogger>('log'),
  faults: token<Faults>('faults'),
  tracing: token<Tracing>('tracing'),
  outbound: token<Outbound>('outbound'),

  /** Bound without a name, once for each booking system, for listing. */
  manifest: token<BookingSystemManifest>('manifest'),
  /** Bound by install name. */
  plugin: token<BookingSystemPlugin>('plugin'),
  bookingSystems: token<BookingSystemResolver>('bookingSystems'),
  connector: token<BookingSystemConnector>('connector'),
  sessionKeepers: token<SessionKeepers>('sessionKeepers'),
  authorizationVisits: token<AuthorizationVisits>('authorizationVisits'),
  bookingSources: token<BookingSources>('bookingSources'),
  bookingReader: token<BookingReader>('bookingReader'),
  bookingLister: token<BookingLister>('bookingLister'),
  dayReader: token<DayReader>('dayReader'),
  dayRefresh: token<DayRefresh>('dayRefresh'),
  /** Rereads bookings after their booking systems announced changes. */
  bookingRefresh: token<BackgroundWork>('bookingRefresh'),
  /** Polls booking systems for changed bookings, and queues them to be reread. */
  changePolling: token<BackgroundWork>('changePolling'),
  keyThrottle: token<KeyThrottle>('keyThrottle'),
  guestBudgets: token<GuestBudgets>('guestBudgets'),
  guestTurns: token<GuestTurns>('guestTurns'),
  /** Undefined without `SMTP_URL`. */
  mailer: token<Mailer | undefined>('mailer'),

  metrics: token<HostMetrics>('metrics'),
  readiness: token<Readiness>('readiness'),
  audit: token<RequestAudit>('audit'),
  adminSeal: token<AdminSeal>('adminSeal'),
  identification: token<CallerIdentification>('identification'),
  /** Undefined without `OIDC_ISSUER`. */
  issuer: token<IssuerSignIn | undefined>('issuer'),
  apps: token<HostApps>('apps'),
  routeServices: token<RouteServices>('routeServices'),
  /** Bound by each feature with routes. Unused in a host that only dispatches. */
  routes: token<RouteModule>('routes'),
  /** Bound by each feature with background work. Not started in a host that only serves the API. */
  background: token<Pick<BackgroundWork, 'start' | 'stop'>>('background'),
};

type Tokens = typeof tokens;

export type HostServices = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceIdentifier<infer Service> ? Service : never;
};
