import { BlockList } from 'node:net';
import type { HostSettings } from '../../settings/host-settings.ts';
import { type Finding, note, ok, problem } from './judge-database.ts';

// Cloud metadata services, which hand out credentials.
const metadataAddresses = ['169.254.169.254', 'fd00:ec2::254'];
// Public addresses: a range with one of them is not a private network.
const publicAddresses = ['8.8.8.8', '2001:4860:4860::8888'];

function contains(range: string, address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const [start = '', bits] = range.split('/');
  if (start.includes(':') !== address.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(start, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  return list.check(address, family);
}

function judgeOutbound({ outboundAllow }: HostSettings): Finding {
  const having = (addresses: readonly string[]) =>
    outboundAllow.filter((range) => addresses.some((address) => contains(range, address)));
  const metadata = having(metadataAddresses);
  if (metadata.length > 0) {
    return problem(
      'outbound',
      `OUTBOUND_ALLOW opens ${metadata.join(', ')}, with the addresses at which clouds give out credentials: name only the ranges of your partners.`,
    );
  }
  const open = having(publicAddresses);
  if (open.length > 0)
    return problem(
      'outbound',
      `OUTBOUND_ALLOW opens ${open.join(', ')}, public addresses too, to plain http: name private ranges.`,
    );
  return outboundAllow.length === 0
    ? ok('outbound', 'Only public addresses are called, by https.')
    : note(
        'outbound',
        `These private addresses may be called, also by plain http: ${outboundAllow.join(', ')}.`,
      );
}

const isLoopback = (host: string) => /^(localhost|127\..*|\[?::1\]?)$/.test(host);

function judgeAddress({ host, port, baseUrl }: HostSettings): Finding {
  const listening = `A host listens on ${host}:${port === 0 ? 'any port' : port}`;
  if (baseUrl === undefined)
    return note(
      'address',
      `${listening}, and BASE_URL is not set: booking systems on other machines cannot call it.`,
    );
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !isLoopback(hostname))
    return note(
      'address',
      `${listening}; others call it at ${baseUrl}, where keys travel in the clear: put a proxy with TLS in front.`,
    );
  return ok('address', `${listening}; others call it at ${baseUrl}.`);
}

/** The findings about the settings themselves; makes no connection. */
export const judgeSettings = (settings: HostSettings): Finding[] => [
  judgeAddress(settings),
  judgeOutbound(settings),
];
