import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../src/index.ts';
import { createNameResolver } from '../src/names/name-resolver.ts';
import { type LoopbackServer, serveHttp } from './loopback-servers.ts';
import { type NameServer, startNameServer } from './names/name-server.ts';

let addresses: readonly string[];
let ttl: number;
let lookUps: number;
let names: NameServer;
let server: LoopbackServer;
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
