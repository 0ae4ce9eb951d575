import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedBookingSystem, startBookingSystem } from '../src/index.ts';

interface Call {
  path: string;
  headers: Record<string, unknown>;
  body: unknown;
}

// A minimal waiver service.
let service: Server;
let baseUrl: string;
let calls: Call[];
let system: SimulatedBookingSystem;

beforeEach(async () => {
  calls = [];
  service = createServer(async (message, response) => {
    const body = JSON.parse(await text(message));
    calls.push({ path: message.url ?? '', headers: message.headers, body });
    const refused = body.key === 'wrong';
    response.writeHead(refused ? 401 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        refused
          ? { success: false, message: 'wrong key' }
          : { success: true, message: 'done', webhookUrl: `${baseUrl}/hook`, apiKey: 'pool-key' },
      ),
    );
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  baseUrl = `http://127.0.0.1:${address.port}`;
  system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: 'account-key',
    pathShape: 'path',
    form: 'current',
  });
});
afterEach(async () => {
  await system.close();
  await new Promise((resolve) => service.close(resolve));
});

const call = (key: string) => ({ baseUrl, installName: 'standard', key, pool: 'p', accountId: 42 });

test('installs itself, announces a change with the app pool key, uninstalls', async () => {
  await system.install({ ...call('right'), accountInformation: { region: 'tirol' } });
  expect(calls[0]).toMatchObject({
    path: '/integration/install/standard',
    body: { key: 'right', pool: 'p', accountId: 42, apiKey: 'account-key', region: 'tirol' },
  });
  expect(system.installations.get('p')).toEqual({
    pool: 'p',
    webhookUrl: `${baseUrl}/hook`,
    appPoolKey: 'pool-key',
  });
  expect(await system.announce('BK-1001')).toMatchObject([{ pool: 'p', status: 200 }]);
  expect(calls[1]).toMatchObject({
    path: '/hook',
    headers: { 'api-key': 'pool-key' },
    body: { id: 'BK-1001', pool: 'p' },
  });
  await system.uninstall(call('right'));
  expect(calls[2]?.path).toBe('/integration/uninstall/standard');
  expect(system.installations.size).toBe(0);
  expect(await system.announce('BK-1001')).toEqual([]);
});

test('a refused install throws an error with the response and stores nothing', async () => {
  await expect(system.install(call('wrong'))).rejects.toThrow('wrong key');
  expect(system.installations.size).toBe(0);
});
