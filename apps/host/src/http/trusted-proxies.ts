import type { HostApp } from './host-app.ts';

/** `false`, a number of proxies, or CIDRs. */
export type TrustProxy = false | number | readonly string[];

/** Fastify's `trustProxy` option. */
export function trustedProxies(trustProxy: TrustProxy) {
  if (trustProxy === false) return false;
  // Given a number, Fastify trusts no proxy; this counts from the nearest one.
  if (typeof trustProxy === 'number') return (_address: string, hop: number) => hop < trustProxy;
  return [...trustProxy];
}

const withoutPort = (address: string) =>
  address.trim().replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2');

/**
 * Removes the ports that some proxies append to forwarded addresses. Otherwise each connection of a client would count
 * as a separate client, and a trusted proxy would not be recognized. Register it before anything that reads
 * `request.ip`.
 */
export function readForwardedAddresses(app: HostApp): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const { 'x-forwarded-for': forwarded } = headers;
    if (typeof forwarded === 'string') {
      headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(', ');
    }
    done();
  });
}
