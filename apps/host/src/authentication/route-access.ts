import type { PoolSetup } from '@waiver-service/store';

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
