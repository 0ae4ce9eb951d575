import { networkInterfaces } from 'node:os';

/** An address family, as Node's `net` numbers it. */
export type Family = 4 | 6;

const bothFamilies: readonly Family[] = [6, 4];

/**
 * The families of which this machine has a routable address, IPv6 first (RFC 8305): addresses of another family could
 * not be connected to. Both if it has only loopback and link-local addresses.
 */
export function localFamilies(): readonly Family[] {
  const routable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const families = bothFamilies.filter((family) =>
    routable.some((address) => address.family === `IPv${family}`),
  );
  return families.length > 0 ? families : bothFamilies;
}
