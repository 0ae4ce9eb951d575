import type { Role, RouteAccess } from '@waiver-service/api';
import { isRole, isScope } from '../authentication/route-access.ts';
import { componentReference } from './components.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: componentReference('Problem') } },
});

/** The responses that many routes have, by their component names. */
export const sharedResponses = {
  NoContent: { description: 'The request succeeded. The response has no body.' },
  Malformed: problem('The body, the query or the path is malformed; `errors` lists the faults.'),
  TokenRejected: problem('The token is missing or wrong.'),
  OwnerRequired: problem('Requires the role owner.'),
  OperatorRequired: problem('Requires the role operator or owner, and access to the pool.'),
  ViewerRequired: problem('Requires the role viewer, operator or owner, and access to the pool.'),
  ScopeRequired: problem(
    'The token belongs to another pool, or lacks the scope (`scope_missing`) or the role.',
  ),
  NotFound: problem('A resource that the path identifies does not exist; `code` says which.'),
  Erased: problem('The waiver was erased (`waiver_erased`).'),
  TooSlow: problem('The body arrived too slowly (`request_timeout`): send the request again.'),
  TooLarge: problem('The body is too large, or the record would become too large.'),
  NotJson: problem('The body is not JSON.'),
  TooManyRequests: problem(
    'Too many calls with a wrong key or token from this address; see Retry-After. A valid key or token is always accepted.',
  ),
  AddressLimited: problem(
    'Too many requests without a token from this address (`too_many_requests`); see Retry-After.',
  ),
  InternalError: problem('Internal error.'),
  Unavailable: problem('The database is temporarily unavailable: repeat the request. See Retry-After.'),
};

const answersOfPeople = (refusal: object) => ({
  400: sharedResponses.Malformed,
  401: sharedResponses.TokenRejected,
  403: refusal,
  429: sharedResponses.TooManyRequests,
});

const answersOfApps = answersOfPeople(sharedResponses.ScopeRequired);

const byAccess: Readonly<Record<RouteAccess, object>> = {
  public: {},
  owner: answersOfPeople(sharedResponses.OwnerRequired),
  operator: answersOfPeople(sharedResponses.OperatorRequired),
  viewer: answersOfPeople(sharedResponses.ViewerRequired),
  'bookings:read': answersOfApps,
  'waivers:list': answersOfApps,
  'check-in:write': answersOfApps,
  'check-in-link': {},
  'waivers:read': answersOfApps,
  'waivers:write': answersOfApps,
  'booking-system': {
    400: sharedResponses.Malformed,
    401: problem('The key is missing or wrong.'),
    403: problem('The key belongs to another pool, or the installation to another account.'),
    404: problem('Unknown booking system or pool.'),
    409: problem('The booking system is installed with another account.'),
    429: sharedResponses.TooManyRequests,
  },
};

/** The properties of a route that its common responses depend on. */
interface DescribedRoute {
  readonly access: RouteAccess;
  /** Whether its requests count against the budget of their address. */
  readonly isBudgeted: boolean;
  readonly hasBody: boolean;
  readonly hasParams: boolean;
  readonly problems: Readonly<Record<number, string>>;
}

/** The responses that a route has in addition to its own. */
export function commonAnswers({ access, isBudgeted, hasBody, hasParams, problems }: DescribedRoute): object {
  return {
    ...(hasParams ? { 404: sharedResponses.NotFound } : {}),
    ...byAccess[access],
    ...(isBudgeted ? { 429: sharedResponses.AddressLimited } : {}),
    ...(hasBody
      ? {
          400: sharedResponses.Malformed,
          408: sharedResponses.TooSlow,
          413: sharedResponses.TooLarge,
          415: sharedResponses.NotJson,
        }
      : {}),
    500: sharedResponses.InternalError,
    ...(access === 'public' ? {} : { 503: sharedResponses.Unavailable }),
    ...Object.fromEntries(Object.entries(problems).map(([status, text]) => [status, problem(text)])),
  };
}

const minimumRoles: Readonly<Record<Role, string>> = {
  owner: 'For owners.',
  operator: 'For operators and owners.',
  viewer: 'For viewers, operators and owners.',
};

/** The sentence that says which role or scope a route takes; `undefined` if it takes none. */
export function describeAccess(access: RouteAccess): string | undefined {
  if (isScope(access)) return `Access tokens require the scope \`${access}\`.`;
  return isRole(access) ? minimumRoles[access] : undefined;
}

/** How a caller of a route authenticates. */
export function securityOf(access: RouteAccess): Readonly<Record<string, readonly string[]>>[] {
  if (isRole(access)) return [{ credential: [] }, { adminToken: [] }];
  if (isScope(access)) return [{ poolAccessToken: [] }, { credential: [] }, { adminToken: [] }];
  return [];
}
