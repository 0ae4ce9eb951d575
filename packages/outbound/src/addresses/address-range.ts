import ipaddr from 'ipaddr.js';

/** An address as it counts: what an IPv6 address carries of IPv4 is judged as IPv4. */
export interface JudgedAddress {
  /** The address, and the IPv4 address inside it where it carries one: either may stand in an allow list. */
  readonly addresses: readonly (ipaddr.IPv4 | ipaddr.IPv6)[];
  /** `public`, or the word for why it is not. */
  readonly range: string;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
// Documentation (RFC 9637); newer than the tables of ipaddr.js.
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');
// How a network of one's own translates to IPv4 (RFC 8215): where that leads is not to be seen from the address.
const localTranslation = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const compatible = ipaddr.IPv6.parseCIDR('::/96');

const lastFourBytes = (address: ipaddr.IPv6) => new ipaddr.IPv4(address.toByteArray().slice(12));

function rangeOfIPv4(address: ipaddr.IPv4): string {
  const range = address.range();
  return range === 'unicast' ? 'public' : range;
}

function carried(address: ipaddr.IPv6): { inner: ipaddr.IPv4; reachable: boolean } | undefined {
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6052': // NAT64: how an IPv6-only network reaches every IPv4 address
      return { inner: lastFourBytes(address), reachable: true };
    case '6to4':
      return { inner: new ipaddr.IPv4(bytes.slice(2, 6)), reachable: false };
    case 'teredo':
      return { inner: new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff)), reachable: false };
    case 'rfc6145':
      return { inner: lastFourBytes(address), reachable: false };
    default:
      return address.match(compatible) ? { inner: lastFourBytes(address), reachable: false } : undefined;
  }
}

function judgeIPv6(address: ipaddr.IPv6): JudgedAddress {
  const range = address.range();
  if (range === 'loopback' || range === 'unspecified') return { addresses: [address], range };
  if (address.match(localTranslation)) return { addresses: [address], range: 'reserved' };
  const inside = carried(address);
  if (inside) {
    const inner = rangeOfIPv4(inside.inner);
    // Tunnels that are retired (6to4, Teredo, ...) are refused whatever they carry.
    const judged = inner === 'public' && !inside.reachable ? range : inner;
    return { addresses: [address, inside.inner], range: judged };
  }
  const isPublic = range === 'unicast' && address.match(globalUnicast) && !address.match(documentation);
  return { addresses: [address], range: isPublic ? 'public' : range === 'unicast' ? 'reserved' : range };
}

/** Says what kind of address a literal is; `undefined` where the text is not an address at all. */
export function judgeAddress(literal: string): JudgedAddress | undefined {
  const text = literal.split('%')[0] ?? literal;
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4
    ? { addresses: [address], range: rangeOfIPv4(address) }
    : judgeIPv6(address);
}
