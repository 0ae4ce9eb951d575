import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The addresses in a hosts file, by lower-case name. */
export function parseHostsFile(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((listed) => listed.toLowerCase())) {
      addresses.set(name, [...(addresses.get(name) ?? []), { address, family }]);
    }
  }
  return addresses;
}
