import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import type { NameResolver } from '../names/name-resolver.ts';

/** An address and its range. An IPv6 address that embeds an IPv4 address is classified by the latter. */
interface ClassifiedAddress {
  /** The address, and the IPv4 address embedded in it, if any: an allow list may contain either. */
  readonly forms: readonly (ipaddr.IPv4 | ipaddr.IPv6)[];
  /** `public`, or the name of another range. */
  readonly range: string;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
// Documentation (RFC 9637), which ipaddr.js does not know yet.
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');
// Local translation to IPv4 (RFC 8215): the address does not reveal the IPv4 address.
const localTranslation = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

const lastFourBytes = (address: ipaddr.IPv6) => new ipaddr.IPv4(address.toByteArray().slice(12));

function rangeOfIPv4(address: ipaddr.IPv4): string {
  const range = address.range();
  return range === 'unicast' ? 'public' : range;
}

function embeddedIPv4(address: ipaddr.IPv6): { ipv4: ipaddr.IPv4; isDeprecated: boolean } | undefined {
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6052': // NAT64: how an IPv6-only network reaches every IPv4 address
      return { ipv4: lastFourBytes(address), isDeprecated: false };
    case '6to4':
      return { ipv4: new ipaddr.IPv4(bytes.slice(2, 6)), isDeprecated: true };
    case 'teredo':
      return { ipv4: new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff)), isDeprecated: true };
    case 'rfc6145':
      return { ipv4: lastFourBytes(address), isDeprecated: true };
    default:
      return address.match(ipv4Compatible) ? { ipv4: lastFourBytes(address), isDeprecated: true } : undefined;
  }
}

function classifyIPv6(address: ipaddr.IPv6): ClassifiedAddress {
  const range = address.range();
  if (range === 'loopback' || range === 'unspecified') return { forms: [address], range };
  if (address.match(localTranslation)) return { forms: [address], range: 'reserved' };
  const embedded = embeddedIPv4(address);
  if (embedded) {
    const innerRange = rangeOfIPv4(embedded.ipv4);
    // Deprecated mechanisms (6to4, Teredo, ...) are not public even with a public IPv4 address.
    const isRefused = innerRange === 'public' && embedded.isDeprecated;
    return { forms: [address, embedded.ipv4], range: isRefused ? range : innerRange };
  }
  if (range !== 'unicast') return { forms: [address], range };
  const isPublic = address.match(globalUnicast) && !address.match(documentation);
  return { forms: [address], range: isPublic ? 'public' : 'reserved' };
}

/** Classifies an address literal; undefined if the text is not one. */
function classifyAddress(literal: string): ClassifiedAddress | undefined {
  const text = literal.split('%')[0] ?? literal;
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4
    ? { forms: [address], range: rangeOfIPv4(address) }
    : classifyIPv6(address);
}

/** Outbound calls may not connect to the address. The message says why, and which setting would allow it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Decides to which addresses outbound calls may connect, and by which scheme. */
export interface AddressGuard {
  /** Why connecting to an address by this scheme is refused; undefined if allowed. */
  refusalOf(address: string, protocol: string): string | undefined;
  /** Whether plain http is allowed to some address. */
  readonly allowsPlainHttp: boolean;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

function parseNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (ipaddr.isValid(text)) {
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  throw new TypeError(`"${text}" is not a network: write CIDRs such as 10.0.0.0/8 or ::1/128`);
}

const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network) =>
  address.kind() === network.kind() && address.match(network, bits);

const refusedRanges = 'private, loopback, link-local and reserved addresses are refused';

/**
 * @param allow - the CIDRs of `OUTBOUND_ALLOW`
 * @throws TypeError if one is malformed
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const networks = allow.map(parseNetwork);
  return {
    allowsPlainHttp: networks.length > 0,
    refusalOf(address, protocol) {
      const classified = classifyAddress(address);
      if (!classified) return `${address} is not an address`;
      if (networks.some((network) => classified.forms.some((form) => matches(form, network))))
        return undefined;
      if (classified.range !== 'public') {
        return `${address} is ${classified.range}: ${refusedRanges}, unless OUTBOUND_ALLOW has a CIDR with them`;
      }
      if (protocol !== 'https:') {
        return `plain http to ${address} is refused: use https, or put its CIDR into OUTBOUND_ALLOW`;
      }
      return undefined;
    },
  };
}

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
