import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressGuard } from '../src/addresses/address-guard.ts';
import { guardLookup } from '../src/addresses/guarded-connector.ts';
import { AddressRefused, createOutbound, type Outbound } from '../src/index.ts';
import { type LoopbackServer, serveHttp } from './loopback-servers.ts';

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

const post = (url: string, by: Outbound = outbound) =>
  by.send({ method: 'POST', url, headers: {}, body: '{}' });

describe('an address that must not be reached', () => {
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

  test('any private IPv4 address is refused, bare and inside every IPv6 address that carries it', async () => {
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

test.each(openHosts)('https://%s may be set', async (host) => {
  await expect(outbound.checkUrl(`https://${host}/hook`)).resolves.toBeUndefined();
});

test('a name that does not resolve yet may be set: it is judged when something is sent', async () => {
  await expect(outbound.checkUrl('https://not-there-yet.invalid/hook')).resolves.toBeUndefined();
});

test.each([
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://user:word@example.com/', 'user or a password'],
  ['https://user@example.com/', 'user or a password'],
  ['http://example.com/', 'plain http'],
  ['http://8.8.8.8/', 'plain http'],
  ['example.com/hook', 'absolute URL'],
  ['', 'absolute URL'],
])('%s is refused when it is set: %s', async (url, why) => {
  await expect(outbound.checkUrl(url)).rejects.toThrow(why);
});

test('a refusal does not repeat a password', async () => {
  await expect(outbound.checkUrl('https://user:hunter2hunter2@example.com/')).rejects.not.toThrow('hunter2');
});

describe('OUTBOUND_ALLOW', () => {
  test('opens its networks, and plain http to them, by name and by literal', async () => {
    const opened = createOutbound({ allow: ['127.0.0.0/8', '::1/128'], timeoutMs: 2000 });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      await expect(opened.checkUrl(`http://${host}:${server.port}/`)).resolves.toBeUndefined();
    }
    await expect(post(`http://localhost:${server.port}/`, opened)).resolves.toMatchObject({ status: 200 });
    await opened.close();
  });

  test('opens nothing else: neither other private addresses nor plain http to public ones', async () => {
    const opened = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2000 });
    await expect(opened.checkUrl('http://127.0.0.2/')).rejects.toThrow('OUTBOUND_ALLOW');
    await expect(opened.checkUrl('https://10.0.0.1/')).rejects.toThrow('OUTBOUND_ALLOW');
    await expect(opened.checkUrl('http://8.8.8.8/')).rejects.toThrow('plain http');
    await expect(post('http://8.8.8.8/', opened)).rejects.toMatchObject({
      outboundErrorCode: 'blocked_address',
    });
    await opened.close();
  });

  test('that is malformed is named', () => {
    expect(() => createOutbound({ allow: ['10.0.0.0/99'], timeoutMs: 1 })).toThrow('"10.0.0.0/99"');
  });
});

test('of a name’s addresses the socket gets only those that were checked and are open', async () => {
  const lookUp = guardLookup(createAddressGuard(['127.0.0.1/32']), 'http:');
  const found = await new Promise((resolve, reject) => {
    lookUp('localhost', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
  expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
});
