import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAddressGuard, guardLookup } from '../src/addresses/address-guard.ts';
import { AddressRefused, createOutbound, type Outbound } from '../src/index.ts';
import { createNameResolver } from '../src/names/name-resolver.ts';
import { type LoopbackServer, type NameServer, serveHttp, startNameServer } from './loopback-servers.ts';

// How an attacker writes an address that must not be reached.
const refusedHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.0x0.0x0.0x1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '10.1',
  '167772161',
  '0x0a000001',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.257',
  '0xc0a80001',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::1]',
  '[64:ff9b:1::808:808]',
  '[64:ff9b:1:2:3:4:808:808]',
  '[2002:7f00:1::]',
  '[2002:c0a8:1::1]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
];
const openHosts = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '11.0.0.1',
  '[2606:4700:4700::1111]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::808:808]',
];

let outbound: Outbound;
let server: LoopbackServer;
beforeAll(async () => {
  outbound = createOutbound({ allow: [], timeoutMs: 2000 });
  server = await serveHttp((_request, response) => response.end('{}'));
});
afterAll(async () => {
  await outbound.close();
  await server.close();
});

const post = (url: string, by: Outbound = outbound) => by.endpoint({ url, headers: {} }).post({ body: '{}' });

describe('a forbidden address', () => {
  test.each(refusedHosts)(
    'https://%s is refused when it is set, and the message names the setting',
    async (host) => {
      const refusal = outbound.checkUrl(`https://${host}:${server.port}/hook`);
      await expect(refusal).rejects.toBeInstanceOf(AddressRefused);
      await expect(refusal).rejects.toThrow('OUTBOUND_ALLOW');
    },
  );

  test.each(refusedHosts)('https://%s is refused when it is sent to, without a connection', async (host) => {
    const before = server.connections();
    await expect(post(`https://${host}:${server.port}/hook`)).rejects.toMatchObject({
      code: 'booking_system_error',
      outboundErrorCode: 'blocked_address',
      inDoubt: false,
    });
    expect(server.connections()).toBe(before);
  });

  test('any private IPv4 address is refused, as it is and embedded in IPv6 addresses', async () => {
    const guard = createAddressGuard([]);
    const byte = fc.integer({ min: 0, max: 255 });
    const privateAddress = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(
      fc.property(privateAddress, ([a, b, c, d]) => {
        const high = (a * 256 + b).toString(16);
        const low = (c * 256 + d).toString(16);
        for (const text of [
          `${a}.${b}.${c}.${d}`,
          `::ffff:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `::${high}:${low}`,
        ]) {
          expect(guard.refusalOf(text, 'https:'), text).toBeDefined();
        }
      }),
    );
  });
});

// The special-purpose registries of IANA, of October 2025, without what OUTBOUND_ALLOW is not needed for
// (64:ff9b::/96, which counts as the IPv4 address in it).
test.each([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
  ...['::/128', '::1/128', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64', '2001::/23', '2001::/32'],
  ...['2001:1::/32', '2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28', '2001:20::/28'],
  ...['2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])('%s is refused from its first to its last address', (cidr) => {
  const guard = createAddressGuard([]);
  const kind = cidr.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  const bytes = kind.networkAddressFromCIDR(cidr).toByteArray();
  const bits = Number(cidr.split('/')[1]);
  // A bit that is inside the network set, and all of them: public IPv4 addresses at the end are among them.
  for (const end of [[], [8, 8, 8, 8], [255, 255, 255, 255]]) {
    const address = bytes.map((byte, index) => {
      const fixed = Math.min(8, Math.max(0, bits - index * 8));
      const mask = (0xff << (8 - fixed)) & 0xff;
      return byte | ((end[index - bytes.length + end.length] ?? 0) & ~mask);
    });
    const text = ipaddr.fromByteArray(address).toString();
    expect(guard.refusalOf(text, 'https:'), text).toBeDefined();
  }
});

test.each(openHosts)('https://%s may be set', async (host) => {
  await expect(outbound.checkUrl(`https://${host}/hook`)).resolves.toBeUndefined();
});

test('a name that does not resolve yet can be configured: each connection checks it', async () => {
  await expect(outbound.checkUrl('https://not-there-yet.invalid/hook')).resolves.toBeUndefined();
});

test.each([
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['gopher://127.0.0.1/', 'scheme'],
  ['data:,x', 'scheme'],
  ['unix:/run/postgresql', 'scheme'],
  ['https://user:word@example.com/', 'user or a password'],
  ['https://user@example.com/', 'user or a password'],
  ['https://example.com@127.0.0.1/', 'user or a password'],
  ['http://example.com/', 'plain http'],
  ['http://8.8.8.8/', 'plain http'],
  ['example.com/hook', 'absolute URL'],
  ['//example.com', 'absolute URL'],
  ['https://', 'absolute URL'],
  ['https://[::1', 'absolute URL'],
  ['https://127.0.0.1:99999/', 'absolute URL'],
  ['', 'absolute URL'],
])('%s is refused when it is configured: %s', async (url, why) => {
  await expect(outbound.checkUrl(url)).rejects.toThrow(why);
});

test('a refusal does not repeat a password', async () => {
  await expect(outbound.checkUrl('https://user:hunter2hunter2@example.com/')).rejects.not.toThrow('hunter2');
});

describe('OUTBOUND_ALLOW', () => {
  test('allows its networks, also by plain http, by name and by literal', async () => {
    const opened = createOutbound({ allow: ['127.0.0.0/8', '::1/128'], timeoutMs: 2000 });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      await expect(opened.checkUrl(`http://${host}:${server.port}/`)).resolves.toBeUndefined();
    }
    await expect(post(`http://localhost:${server.port}/`, opened)).resolves.toMatchObject({ status: 200 });
    await opened.close();
  });

  test('allows nothing else: neither other private addresses nor plain http to public ones', async () => {
    const opened = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2000 });
    await expect(opened.checkUrl('http://127.0.0.2/')).rejects.toThrow('OUTBOUND_ALLOW');
    await expect(opened.checkUrl('https://10.0.0.1/')).rejects.toThrow('OUTBOUND_ALLOW');
    await expect(opened.checkUrl('http://8.8.8.8/')).rejects.toThrow('plain http');
    await expect(post('http://8.8.8.8/', opened)).rejects.toMatchObject({
      outboundErrorCode: 'blocked_address',
    });
    await opened.close();
  });

  test('names a malformed CIDR', () => {
    expect(() => createOutbound({ allow: ['10.0.0.0/99'], timeoutMs: 1 })).toThrow('"10.0.0.0/99"');
  });
});

test('the socket gets only those of a name’s addresses that are allowed', async () => {
  const names = {
    guard: createAddressGuard(['127.0.0.1/32']),
    resolver: createNameResolver({ deadlineMs: 1_000 }),
  };
  const lookUp = guardLookup(names, 'http:');
  const found = await new Promise((resolve, reject) => {
    lookUp('localhost', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
  expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

describe('a name whose addresses change', () => {
  let addresses: readonly string[];
  let ttl: number;
  let lookUps: number;
  let names: NameServer;
  let outbound: Outbound | undefined;

  beforeEach(async () => {
    lookUps = 0;
    ttl = 0;
    // Another address each time; the last one stays.
    names = await startNameServer(() => {
      const address = addresses[Math.min(lookUps, addresses.length - 1)] ?? '';
      lookUps += 1;
      return { ipv4: [address], ttl };
    });
    server = await serveHttp((_request, response) => response.end('{}'));
  });
  afterEach(async () => {
    await outbound?.close();
    await server.close();
    await names.close();
  });

  function open(allow: readonly string[]): Outbound {
    const nameResolver = createNameResolver({
      deadlineMs: 5_000,
      nameServers: [names.address],
      resolvConf: '/nowhere',
      families: [4],
    });
    outbound = createOutbound({ allow, timeoutMs: 10_000, nameResolver });
    return outbound;
  }

  test('a name that was allowed when configured but now resolves to a private address is refused without a connection', async () => {
    addresses = ['1.1.1.1', '127.0.0.1'];
    const { checkUrl, endpoint } = open([]);
    const url = `https://changing.example:${server.port}/hook`;
    await expect(checkUrl(url)).resolves.toBeUndefined();
    const sent = endpoint({ url, headers: {} }).post({ body: '{}' });
    await expect(sent).rejects.toMatchObject({ outboundErrorCode: 'blocked_address', inDoubt: false });
    expect(lookUps).toBe(2);
    expect(server.connections()).toBe(0);
  });

  test('if a name changes between check and connection, the checked address is connected to', async () => {
    addresses = ['127.0.0.1', '10.0.0.1'];
    const { endpoint } = open(['127.0.0.1/32']);
    const url = `http://changing.example:${server.port}/hook`;
    await expect(endpoint({ url, headers: {} }).post({ body: '{}' })).resolves.toMatchObject({
      status: 200,
    });
    expect(lookUps).toBe(1);
    expect(server.connections()).toBe(1);
  });

  test('a cached address is checked again for the scheme of each connection', async () => {
    addresses = ['127.0.0.1'];
    ttl = 60;
    const { endpoint } = open([]);
    for (const url of ['https://kept.example/hook', 'https://kept.example/other']) {
      const sent = endpoint({ url, headers: {} }).post({ body: '{}' });
      await expect(sent).rejects.toMatchObject({ outboundErrorCode: 'blocked_address' });
    }
    expect(lookUps).toBe(1);
  });
});
