import { hash, timingSafeEqual } from 'node:crypto';
import type { Role, Store, TokenScope } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import type { HostApp } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { isAtLeast, type Person, type WaiverApp } from './caller.ts';
import { countedAddress, createFailureThrottle } from './failure-throttle.ts';
import { inPath, type PoolAccessServices, requirePools } from './pool-access.ts';
import { isRole, isScope } from './route-access.ts';

/** How many calls with one wrong token a minute are answered as such, for each address. Right ones are not limited. */
export const wrongTokensPerMinute = 600;

const digest = (text: string) => hash('sha256', text, 'buffer');

function unauthorized(): HttpProblem {
  return new HttpProblem(
    401,
    'unauthorized',
    'A valid token is needed, sent as Authorization: Bearer <token>.',
    { headers: { 'www-authenticate': 'Bearer realm="waiver-service"' } },
  );
}

const forbidden = (message: string) => new HttpProblem(403, 'forbidden', message);

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([^\s]{1,1024})$/i.exec(request.headers.authorization ?? '')?.[1];
}

interface TokenServices {
  readonly store: {
    readonly accessTokens: Pick<Store['accessTokens'], 'verify'>;
    readonly credentials: Pick<Store['credentials'], 'verify'>;
  };
  readonly adminToken: string;
}

export interface AuthenticationServices extends TokenServices, PoolAccessServices {
  readonly store: TokenServices['store'] & PoolAccessServices['store'];
  /** Called with requests of people whose token is wrong. */
  readonly onRefused: (request: FastifyRequest) => void;
}

/** Creates a function that finds out whose a token is; `undefined` for a wrong one. */
function createIdentification({ store, adminToken }: TokenServices) {
  const adminDigest = digest(adminToken);
  // The way in that no one can take away.
  const admin: Person = {
    kind: 'person',
    name: 'admin',
    role: 'owner',
    pools: 'all',
    actor: 'admin-token',
  };
  return async (token: string): Promise<Person | WaiverApp | undefined> => {
    if (timingSafeEqual(digest(token), adminDigest)) return admin;
    if (token.startsWith('wsc_')) {
      const credential = await store.credentials.verify(token);
      if (credential === undefined) return undefined;
      const { id, name, role, pools } = credential;
      return { kind: 'person', name, role, pools: pools ?? 'all', actor: `credential:${id}` };
    }
    const setup = await store.accessTokens.verify(token);
    return setup && { kind: 'pool', pool: setup.pool, setup };
  };
}

// A viewer reads what an access token of the pool may read.
const roleFor = (scope: TokenScope): Role => (scope === 'waivers:write' ? 'operator' : 'viewer');

function requireRole({ role }: Person, least: Role): void {
  if (isAtLeast(role, least)) return;
  throw forbidden(`This takes the role ${least}; the token has the role ${role}.`);
}

function requireScope({ setup: { token } }: WaiverApp, scope: TokenScope): void {
  if (token.scopes.includes(scope)) return;
  throw new HttpProblem(
    403,
    'scope_missing',
    `This takes the scope ${scope}; the access token has ${token.scopes.join(', ')}.`,
  );
}

/** Decides who calls, and whether they may, before the body is read. */
export function authenticateCallers(app: HostApp, services: AuthenticationServices): void {
  const identify = createIdentification(services);
  const throttle = createFailureThrottle(wrongTokensPerMinute);

  const callerOf = async (request: FastifyRequest): Promise<Person | WaiverApp> => {
    const token = bearerToken(request);
    const caller = token === undefined ? undefined : await identify(token);
    if (caller !== undefined) return caller;
    if (token !== undefined && isRole(request.routeOptions.config.access)) services.onRefused(request);
    throttle.record({ caller: countedAddress(request.ip), key: token });
    throw unauthorized();
  };

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const { access, poolCheck } = request.routeOptions.config;
    if (!isScope(access) && !isRole(access)) return;
    const caller = await callerOf(request);
    // For the log, also if it is refused.
    request.caller = caller;
    if (caller.kind === 'person') {
      requireRole(caller, isRole(access) ? access : roleFor(access));
      await requirePools(services, caller, request, poolCheck);
      return;
    }
    // An access token opens its own pool and nothing else.
    if (isRole(access)) {
      throw forbidden('This takes a credential or the admin token, not an access token.');
    }
    if (inPath(request, 'pool') !== caller.pool) {
      throw forbidden('This access token belongs to another pool.');
    }
    requireScope(caller, access);
  });
}
