import ipaddr from 'ipaddr.js';
import { judgeAddress } from './address-range.ts';

/** Decides which addresses a call may reach, and by which scheme. */
export interface AddressGuard {
  /** Why an address may not be reached by that scheme; `undefined` where it may. */
  refusalOf(address: string, protocol: string): string | undefined;
  /** Whether anything at all may be reached by plain http. */
  readonly opensPlainHttp: boolean;
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

/** Makes the guard from the CIDRs of `OUTBOUND_ALLOW`. Throws a TypeError that names a malformed one. */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const networks = allow.map(parseNetwork);
  return {
    opensPlainHttp: networks.length > 0,
    refusalOf(address, protocol) {
      const judged = judgeAddress(address);
      if (!judged) return `${address} is not an address`;
      if (networks.some((network) => judged.addresses.some((one) => matches(one, network)))) return undefined;
      if (judged.range !== 'public') {
        return `${address} is ${judged.range}: ${refusedRanges}, unless OUTBOUND_ALLOW has a CIDR with them`;
      }
      if (protocol !== 'https:') {
        return `plain http to ${address} is refused: use https, or put its CIDR into OUTBOUND_ALLOW`;
      }
      return undefined;
    },
  };
}
