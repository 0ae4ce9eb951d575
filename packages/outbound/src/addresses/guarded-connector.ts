import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { AddressRefused } from './address-refused.ts';

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

type Found = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;

// RFC 6761 gives these names one meaning; resolvers differ on the spellings with a dot.
function addressesOf(hostname: string, options: LookupOptions, callback: Found): void {
  if (/(?:^|\.)localhost\.?$/i.test(hostname)) callback(null, loopback);
  else lookup(hostname, { ...options, all: true }, callback);
}

/**
 * The addresses of a name that may be reached. Fails with {@link AddressRefused} where none may.
 * Only what passes here is handed to the socket, so a name cannot change between the check and the connection.
 */
export function guardLookup(guard: AddressGuard, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, options, (error, found) => {
      if (error) return callback(error, []);
      const open = found.filter(({ address }) => guard.refusalOf(address, protocol) === undefined);
      const [first] = open;
      if (!first) {
        const reason = found[0] ? guard.refusalOf(found[0].address, protocol) : 'it has no address';
        return callback(new AddressRefused(`${hostname} is refused: ${reason}`), []);
      }
      return options.all ? callback(null, open) : callback(null, first.address, first.family);
    });
  };
}

/** An undici connector that refuses at connect time what the guard refuses, literal addresses and names alike. */
export function createGuardedConnector(guard: AddressGuard, timeoutMs: number): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({ timeout: timeoutMs, allowH2: false, port: 0, lookup: guardLookup(guard, protocol) });
  const secure = connectorFor('https:');
  const plain = connectorFor('http:');
  return (options, callback) => {
    const hostname = withoutBrackets(options.hostname);
    const refusal = isIP(hostname) ? guard.refusalOf(hostname, options.protocol) : undefined;
    if (refusal !== undefined) return callback(new AddressRefused(refusal), null);
    return (options.protocol === 'https:' ? secure : plain)(options, callback);
  };
}
