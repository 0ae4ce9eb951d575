import { linkProblem, poolBusyProblem, type Role, type RouteAccess } from '@waiver-service/api';
import { isRole, isScope } from '../callers/route-access.ts';
import { componentReference } from './components.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: componentReference('Problem') } },
});

/** The refusals that many routes have. */
const sharedProblems = {
  400: 'the body, the query or the path is malformed; `errors` lists the faults.',
  401: 'the token is missing or wrong.',
  403: 'the role, the scope (`scope_missing`) or the access to the pool that the route requires is missing.',
  404: 'a resource that the path identifies does not exist; `code` says which.',
  408: 'the body arrived too slowly (`request_timeout`): send the request again.',
  413: 'the body is too large, or the record would become too large.',
  415: 'the body is not JSON.',
  429: 'too many calls with a wrong key or token from this address (a valid one is always accepted), or too many requests without a token (`too_many_requests`). See Retry-After.',
  500: 'internal error.',
  503: 'the database is temporarily unavailable: repeat the request. See Retry-After.',
};

/** The responses that many routes have, by their component names. */
export const sharedResponses = {
  NoContent: { description: 'The request succeeded. The response has no body.' },
  Erased: problem('The waiver was erased (`waiver_erased`).'),
  LinkRefused: problem(linkProblem),
  PoolBusy: problem(poolBusyProblem),
  Problem: problem(
    [
      'Any other refusal.',
      ...Object.entries(sharedProblems).map(([status, text]) => `${status}: ${text}`),
    ].join(' '),
  ),
};

const problemsOfBookingSystems: Readonly<Record<number, string>> = {
  401: 'The key is missing or wrong.',
  403: 'The key belongs to another pool, or the installation to another account.',
  404: 'Unknown booking system or pool.',
  409: 'The booking system is installed with another account.',
};

/** The properties of a route that its common responses depend on. */
export interface DescribedRoute {
  readonly access: RouteAccess;
  /** Whether its requests count against the budget of their address. */
  readonly isBudgeted: boolean;
  readonly hasBody: boolean;
  readonly hasParams: boolean;
}

/** The statuses of a route that its `default` response stands for. */
export function sharedStatuses({ access, isBudgeted, hasBody, hasParams }: DescribedRoute): number[] {
  const hasToken = isRole(access) || isScope(access);
  return [
    ...(hasToken ? [400, 401, 403, 429] : []),
    ...(access === 'booking-system' ? [400, 429] : []),
    ...(isBudgeted ? [429] : []),
    ...(hasBody ? [400, 408, 413, 415] : []),
    ...(hasParams ? [404] : []),
    ...(access === 'public' ? [] : [503]),
    500,
  ];
}

/** The refusals of a route, in addition to its own answers: those that it alone has, and `default`. */
export function refusals(access: RouteAccess, problems: Readonly<Record<number, string>>): object {
  const named = { ...(access === 'booking-system' ? problemsOfBookingSystems : {}), ...problems };
  return {
    ...Object.fromEntries(Object.entries(named).map(([status, text]) => [status, problem(text)])),
    default: sharedResponses.Problem,
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
