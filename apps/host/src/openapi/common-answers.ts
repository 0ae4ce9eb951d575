import type { Role } from '@waiver-service/store';
import { isRole, isScope, type RouteAccess } from '../authentication/route-access.ts';
import { componentReference } from './components.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The refusals of this route besides those that all routes of its kind have, by status, for the OpenAPI document. */
    problems?: Readonly<Record<number, string>>;
  }
}

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: componentReference('Problem') } },
});

const malformed = problem('The body, the query or the path is malformed; `errors` lists the faults.');
const tooLarge = problem('The body is too large, or the record would become too large.');
const unknown = problem('Something that the path names does not exist; `code` says what.');
const notJson = problem('The body is not JSON.');
const tooMany = problem(
  'Too many calls with a wrong key or token from this address; see Retry-After. A valid one is always accepted.',
);
const internal = problem('Internal error.');
const unavailable = problem(
  'The database, or the cell of the pool or the key, is temporarily unavailable: repeat the request. See Retry-After.',
);
const loop = problem(
  'The cells do not agree where the pool is: repeat the request. They may disagree for a moment while a pool moves. See Retry-After.',
);
const moved = problem(
  'The pool is in another cell now, of which the caller has no credential; the message says which.',
);

const answersOfPeople = (refusal: string) => ({
  400: malformed,
  401: problem('The token is missing or wrong.'),
  403: problem(refusal),
  429: tooMany,
});

const answersOfApps = answersOfPeople(
  'The token belongs to another pool, or lacks the scope (`scope_missing`) or the role.',
);

const byAccess: Readonly<Record<RouteAccess, object>> = {
  public: {},
  owner: answersOfPeople('Requires the role owner.'),
  operator: answersOfPeople('Requires the role operator, and the pool.'),
  viewer: answersOfPeople('Requires a role, and the pool.'),
  'bookings:read': answersOfApps,
  'waivers:list': answersOfApps,
  'waivers:read': answersOfApps,
  'waivers:write': answersOfApps,
  'booking-system': {
    400: malformed,
    401: problem('The key is missing or wrong.'),
    403: problem('The key belongs to another pool, or the installation to another account.'),
    404: problem('Unknown booking system or pool.'),
    409: problem('The booking system is installed with another account.'),
    429: tooMany,
  },
};

/** The properties of a route that its common responses depend on. */
interface DescribedRoute {
  readonly access: RouteAccess;
  readonly hasBody: boolean;
  readonly hasParams: boolean;
  readonly namesPool: boolean;
  readonly problems: Readonly<Record<number, string>>;
}

/** The responses that a route has in addition to its own. */
export function commonAnswers({ access, hasBody, hasParams, namesPool, problems }: DescribedRoute): object {
  return {
    ...(hasParams ? { 404: unknown } : {}),
    ...byAccess[access],
    ...(namesPool && access !== 'public' ? { 421: moved } : {}),
    ...(hasBody ? { 400: malformed, 413: tooLarge, 415: notJson } : {}),
    500: internal,
    ...(access === 'public' ? {} : { 503: unavailable, 508: loop }),
    ...Object.fromEntries(Object.entries(problems).map(([status, text]) => [status, problem(text)])),
  };
}

const leastRoles: Readonly<Record<Role, string>> = {
  owner: 'For owners.',
  operator: 'For operators and owners.',
  viewer: 'For viewers, operators and owners.',
};

/** The sentence that says which role or scope a route takes; `undefined` if it takes none. */
export function describeAccess(access: RouteAccess): string | undefined {
  if (isScope(access)) return `Takes the scope \`${access}\`.`;
  return isRole(access) ? leastRoles[access] : undefined;
}

/** How a caller of a route authenticates. */
export function securityOf(access: RouteAccess): Readonly<Record<string, readonly string[]>>[] {
  if (isRole(access)) return [{ credential: [] }, { adminToken: [] }];
  if (isScope(access)) return [{ poolAccessToken: [] }, { credential: [] }, { adminToken: [] }];
  return [];
}
