import type { HostApp } from './host-app.ts';

/** `false`, a number of proxies, or CIDRs. */
export type TrustProxy = false | number | readonly string[];

/** Fastify's `trustProxy` option. */
export function trustedProxies(trustProxy: TrustProxy) {
  if (trustProxy === false) return false;
  // Fastify trusts no one when it is given a number; this counts from the nearest proxy.
  if (typeof trustProxy === 'number') return (_address: string, hop: number) => hop < trustProxy;
  return [...trustProxy];
}

const withoutPort = (address: string) =>
  address.trim().replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2');

/**
 * Takes the ports from forwarded addresses, which some proxies write there: a caller would count as another one for
 * each of its connections, and a proxy among them would not be known as one. Has to come before whoever asks for an
 * address.
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
