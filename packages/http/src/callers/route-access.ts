import {
  type Role,
  type RouteAccess,
  type RouteConfig,
  type TokenScope,
  tokenScopes,
} from '@waiver-service/api';
import type { RouteOptions } from 'fastify';
import type { HostApp } from '../app/host-app.ts';
import type { Caller } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}
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
