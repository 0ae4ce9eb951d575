import type { HostServices } from './tokens.ts';

/** The names of the services that routes may take. */
export const routeServices = [
  'settings',
  'baseUrl',
  'store',
  'outbound',
  'bookingSystems',
  'authorizationVisits',
  'bookingSources',
  'bookingReader',
  'bookingLister',
  'dayReader',
  'dayRefresh',
  'bookingRefresh',
  'changePolling',
  'keyThrottle',
  'guestBudgets',
  'guestTurns',
  'mailer',
  'readiness',
  'audit',
  'adminSeal',
  'identification',
  'issuer',
] as const;

/** The services that a route module picks from. */
export interface RouteServices extends Pick<HostServices, (typeof routeServices)[number]> {}
