import { type Role, type TokenScope, tokenScopes } from '@waiver-service/store';
import type { RouteOptions } from 'fastify';
import type { HostApp } from '../http/host-app.ts';
import type { Caller } from './caller.ts';

/**
 * Who may call a route. Each route names one in its `config`; a route that names none is refused when it is added, so
 * that none is open by oversight.
 *
 * - `public`: anyone.
 * - `owner`, `operator`, `viewer`: a person with at least this role. Viewers only read.
 * - a scope, such as `waivers:read`: an access token of the pool in the path's `:pool` that has it, or a person of that
 *   pool: a viewer to read, an operator to write.
 * - `check-in-link`: the token of a check-in link, which the routes check themselves.
 * - `booking-system`: a booking system's key, which the route checks itself since it may be in the body.
 */
export type RouteAccess = 'public' | Role | TokenScope | 'booking-system' | 'check-in-link';

/**
 * How a route for operators or viewers without a `:pool` in its path is kept to the caller's pools:
 *
 * - `alert`, `delivery`, `destination`, `recovery`: its `:id` names one, whose pools count.
 * - `by-handler`: the handler keeps to `poolsToShow`.
 * - `none`: nothing in it belongs to a pool.
 */
export type PoolCheck = 'alert' | 'delivery' | 'destination' | 'recovery' | 'by-handler' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    poolCheck?: PoolCheck;
  }
  interface FastifyRequest {
    /** Who called; `null` on routes with access `public`, and until a booking system's key is verified. */
    caller: Caller | null;
  }
}

/** Whether a route is for people with a role. */
export const isRole = (access: RouteAccess | undefined): access is Role =>
  access === 'owner' || access === 'operator' || access === 'viewer';

const scopes: ReadonlySet<RouteAccess | undefined> = new Set(tokenScopes);

/** Whether a route is for waiver apps whose token has a scope. */
export const isScope = (access: RouteAccess | undefined): access is TokenScope => scopes.has(access);

/** Whether requests of a method only read. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

function missingIn({ url, method, config = {} }: RouteOptions): string | undefined {
  const { access, poolCheck } = config;
  const namesPool = url.includes('/:pool');
  if (access === undefined) return `The route ${url} does not say who may call it.`;
  if (isScope(access) && !namesPool) return `The route ${url} names no pool.`;
  if ((access === 'operator' || access === 'viewer') && !namesPool && poolCheck === undefined) {
    return `The route ${url} does not say how it is kept to the caller's pools (poolCheck).`;
  }
  if (access === 'viewer' && ![method].flat().every(isReading)) {
    return `The route ${url} lets a viewer do more than read.`;
  }
  return undefined;
}

/**
 * Keeps the app from starting if a route does not declare its access, or which pools it is about: none is open by
 * oversight.
 */
export function requireDeclaredAccess(app: HostApp): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const [missing] = routes.map(missingIn).filter((sentence) => sentence !== undefined);
    if (missing !== undefined) throw new Error(missing);
  });
}
