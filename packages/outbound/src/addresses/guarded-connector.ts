import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { NameResolver } from '../names/name-resolver.ts';
import type { AddressGuard } from './address-guard.ts';
import { AddressRefused } from './address-refused.ts';

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/** Decides which addresses of a name may be reached. */
export interface GuardedNames {
  readonly guard: AddressGuard;
  readonly resolver: NameResolver;
}

/**
 * The addresses of a name that may be reached: at least one. However long the resolver keeps what it found, it is
 * judged here at each call.
 *
 * @throws AddressRefused where none may be reached
 */
export async function findOpenAddresses(
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

/** Only what passes here is handed to the socket, so a name cannot change between the check and the connection. */
export function guardLookup(names: GuardedNames, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    findOpenAddresses(names, hostname, protocol).then(
      (open) => {
        if (options.all) callback(null, [...open]);
        else callback(null, open[0].address, open[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** An undici connector that refuses at connect time what the guard refuses, literal addresses and names alike. */
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
