import type { PoolSetup } from '@waiver-service/store';
import type { RouteOptions } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

/**
 * Who may call a route. Each route names one in its `config`; a route that names none is refused when it is added,
 * so that none is open by oversight.
 *
 * - `public`: anyone.
 * - `admin`: `Authorization: Bearer <ADMIN_TOKEN>`.
 * - `pool`: an access token of the pool in the path's `:pool`, or the admin token.
 * - `booking-system`: a booking system's key, which the route checks itself since it may stand in the body.
 */
export type RouteAccess = 'public' | 'admin' | 'pool' | 'booking-system';

/** Who called, once the caller is known. With an access token came the setup of its pool. */
export type Caller =
  | { readonly kind: 'admin' }
  | { readonly kind: 'pool'; readonly pool: string; readonly setup: PoolSetup };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
  interface FastifyRequest {
    /** Who called; `null` on routes whose access is `public` or `booking-system`. */
    caller: Caller | null;
  }
}

function missingIn({ url, config }: RouteOptions): string | undefined {
  if (config?.access === undefined) return `The route ${url} does not say who may call it.`;
  if (config.access === 'pool' && !url.includes('/:pool')) return `The route ${url} names no pool.`;
  return undefined;
}

/**
 * Keeps the app from starting while a route does not name its access, or has access `pool` and no `:pool` in its
 * path: none is open by oversight.
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
