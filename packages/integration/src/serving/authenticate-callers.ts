import type { Role, TokenScope } from '@waiver-service/api';
import {
  type Caller,
  type HostApp,
  HttpProblem,
  inPath,
  isAtLeast,
  isRole,
  isScope,
  type Person,
  type ResourcePools,
  requirePools,
  seesGuests,
} from '@waiver-service/http';
import type { TokenSetup } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import type { ServiceIdentifier } from 'inversify';

/** A pool's waiver app; its access token is looked up together with the pool's setup. */
export interface WaiverApp extends Caller {
  readonly kind: 'pool';
  readonly pool: string;
  readonly setup: TokenSetup;
}

export const waiverApp = (setup: TokenSetup): WaiverApp => ({
  kind: 'pool',
  actor: `access-token:${setup.token.id}`,
  name: null,
  pool: setup.pool,
  seesGuests: true,
  setup,
});

const isWaiverApp = (caller: Caller | null): caller is WaiverApp => caller?.kind === 'pool';

/** The setup of the pool whose app makes a request. */
export const setupOf = (caller: Caller | null): TokenSetup | undefined =>
  isWaiverApp(caller) ? caller.setup : undefined;

/** Whether a response may contain the answers of waivers, other than those that the request itself sent. */
export function seesAnswers(caller: Caller | null): boolean {
  if (!isWaiverApp(caller)) return seesGuests(caller);
  const { scopes } = caller.setup.token;
  return scopes.includes('waivers:read') || scopes.includes('waivers:list');
}

/** Identifies people and waiver apps. One feature binds it: without one, no host starts. */
export interface Authentication {
  /**
   * By the request's token or session.
   * @throws HttpProblem 401 `unauthorized`, 429 `too_many_failures`
   */
  ofRequest(request: FastifyRequest): Promise<Person | WaiverApp>;
}
export const Authentication: ServiceIdentifier<Authentication> = Symbol('Authentication');

const forbidden = (message: string) => new HttpProblem(403, 'forbidden', message);

// A viewer may read whatever the pool's access tokens may.
const roleFor = (scope: TokenScope): Role =>
  scope === 'waivers:write' || scope === 'check-in:write' ? 'operator' : 'viewer';

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

/** Authenticates and authorizes the caller before the body is read. */
export function authenticateCallers(
  app: HostApp,
  services: { readonly authentication: Authentication; readonly resourcePools: ResourcePools },
): void {
  app.addHook('onRequest', async (request) => {
    const { access, poolCheck } = request.routeOptions.config;
    if (!isScope(access) && !isRole(access)) return;
    const caller = await services.authentication.ofRequest(request);
    // For the log, even if the request is refused.
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
