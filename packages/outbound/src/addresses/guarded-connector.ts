import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { NameResolver } from '../names/name-resolver.ts';
import { type AddressGuard, AddressRefused } from './address-guard.ts';

/** A URL's hostname without the brackets around an IPv6 address. */
export const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/** Resolves names to allowed addresses. */
export interface GuardedNames {
  readonly guard: AddressGuard;
  readonly resolver: NameResolver;
}

/**
 * Resolves a name to its allowed addresses, at least one. Cached addresses are checked again on each call.
 *
 * @throws AddressRefused if none is allowed
 * @throws NameNotResolved
 */
export async function resolveAllowed(
  { guard, resolver }: GuardedNames,
  hostname: string,
  protocol: string,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const found = await resolver.resolve(hostname);
  const [first, ...rest] = found.filter(({ address }) => guard.refusalOf(address, protocol) === undefined);
  if (first !== undefined) return [first, ...rest];
  const reason = found[0] ? guard.refusalOf(found[0].address, protocol) : 'it has no address';
  throw new AddressRefused(`${hostname} is refused: ${reason}`);
}

/** Passes only checked addresses to the socket, so that a name cannot change between check and connection. */
export function guardLookup(names: GuardedNames, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(names, hostname, protocol).then(
      (allowed) => {
        if (options.all) callback(null, [...allowed]);
        else callback(null, allowed[0].address, allowed[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** An undici connector that connects only to allowed addresses, whether given literally or by name. */
export function createGuardedConnector(names: GuardedNames, timeoutMs: number): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({ timeout: timeoutMs, allowH2: false, port: 0, lookup: guardLookup(names, protocol) });
  const secure = connectorFor('https:');
  const plain = connectorFor('http:');
  return (options, callback) => {
    const hostname = withoutBrackets(options.hostname);
    const refusal = isIP(hostname) ? names.guard.refusalOf(hostname, options.protocol) : undefined;
    if (refusal !== undefined) return callback(new AddressRefused(refusal), null);
    return (options.protocol === 'https:' ? secure : plain)(options, callback);
  };
}
