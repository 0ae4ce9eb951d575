export {
  type AuthorizationRequests,
  type AuthorizationVisit,
  createAuthorizationRequests,
} from './authorization-requests.ts';
export { needAuthorization } from './need-authorization.ts';
export { retryLost } from './retry-lost.ts';
export {
  type BookingSystemSessions,
  createBookingSystemSessions,
  type Loss,
  type LostAuthorization,
  type Renewal,
  type RenewalRequest,
  type SessionState,
} from './sessions.ts';
export type { StoredSession } from './stored-session.ts';
