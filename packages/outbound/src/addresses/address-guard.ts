import ipaddr from 'ipaddr.js';
import { classifyAddress } from './address-range.ts';

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
