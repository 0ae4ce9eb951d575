import { afterEach, expect, test, vi } from 'vitest';
import { createOutbound } from '../src/index.ts';
import { type LoopbackServer, serveHttp } from './loopback-servers.ts';

type Found = (error: null, addresses: { address: string; family: number }[]) => void;

const resolver = vi.hoisted(() => ({ addresses: [''], lookUps: 0 }));

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup(_name: string, _options: unknown, callback: Found) {
    const address = resolver.addresses[Math.min(resolver.lookUps, resolver.addresses.length - 1)] ?? '';
    resolver.lookUps += 1;
    setImmediate(() => callback(null, [{ address, family: 4 }]));
  },
}));

/** Every name has another address each time that it is looked up; the last one stays. */
function resolveTo(...addresses: readonly string[]): void {
  resolver.addresses = [...addresses];
  resolver.lookUps = 0;
}

let server: LoopbackServer;
afterEach(() => server.close());

test('a name that is open when it is set and leads inwards when something is sent: refused, without a connection', async () => {
  server = await serveHttp((_request, response) => response.end('{}'));
  const outbound = createOutbound({ allow: [], timeoutMs: 2_000 });
  resolveTo('1.1.1.1', '127.0.0.1');
  const url = `https://changing.example:${server.port}/hook`;
  await expect(outbound.checkUrl(url)).resolves.toBeUndefined();
  const sent = outbound.send({ method: 'POST', url, headers: {}, body: '{}' });
  await expect(sent).rejects.toMatchObject({ outboundErrorCode: 'blocked_address', inDoubt: false });
  expect(resolver.lookUps).toBe(2);
  expect(server.connections()).toBe(0);
  await outbound.close();
});

test('a name that changes between the check and the connection: the address that was checked is connected to', async () => {
  server = await serveHttp((_request, response) => response.end('{}'));
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2_000 });
  resolveTo('127.0.0.1', '10.0.0.1');
  const url = `http://changing.example:${server.port}/hook`;
  await expect(outbound.send({ method: 'POST', url, headers: {}, body: '{}' })).resolves.toMatchObject({
    status: 200,
  });
  expect(resolver.lookUps).toBe(1);
  expect(server.connections()).toBe(1);
  await outbound.close();
});
