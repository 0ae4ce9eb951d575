import type { RouteAccess } from '../authentication/route-access.ts';
import { componentReference } from './components.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: componentReference('Problem') } },
});

const malformed = problem('The body, the query or the path is malformed; `errors` says where.');
const tooLarge = problem('The body is too large, or the record would be.');
const notJson = problem('The body is not JSON.');
const tooMany = problem(
  'Too many calls with a wrong key or token from this address; see Retry-After. A right one is always taken.',
);
const internal = problem('Something went wrong on our side.');
const unavailable = problem('The database cannot be used at the moment: send it again. See Retry-After.');

const byAccess: Readonly<Record<RouteAccess, object>> = {
  public: {},
  admin: {
    400: malformed,
    401: problem('The token is missing or wrong.'),
    403: problem('Only the admin token may do this.'),
    429: tooMany,
  },
  pool: {
    400: malformed,
    401: problem('The token is missing or wrong.'),
    403: problem('The access token belongs to another pool.'),
    429: tooMany,
  },
  'booking-system': {
    400: malformed,
    401: problem('The key is missing or wrong.'),
    403: problem('The key, or the account, belongs to somebody else.'),
    404: problem('There is no such booking system, or no such pool.'),
    409: problem('The booking system is installed with another account.'),
    429: tooMany,
  },
};

/** The answers that a route has besides its own. */
export function commonAnswers(access: RouteAccess, hasBody: boolean): object {
  const ours = access === 'public' ? { 500: internal } : { 500: internal, 503: unavailable };
  return { ...byAccess[access], ...(hasBody ? { 413: tooLarge, 415: notJson } : {}), ...ours };
}

/** How a caller of a route shows who it is. */
export function securityOf(access: RouteAccess): Readonly<Record<string, readonly string[]>>[] {
  if (access === 'admin') return [{ adminToken: [] }];
  if (access === 'pool') return [{ poolAccessToken: [] }, { adminToken: [] }];
  return [];
}
