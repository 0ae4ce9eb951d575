import { networkInterfaces } from 'node:os';

/** A family of addresses, as Node's `net` numbers them. */
export type Family = 4 | 6;

const bothFamilies: readonly Family[] = [6, 4];

/**
 * The families that this machine has an address of, IPv6 first (RFC 8305): asking for others would only give addresses
 * that cannot be connected to. Both where it has none but its own loopback and link-local ones.
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
