import type { RouteOptions } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

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
