import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { peekBooking, type SimulatedPeek, startPeek } from '../simulator/index.ts';
import peek from '../src/index.ts';

const apiKey = 'peek-key-1';
const [url, former] = ['https://a.example/?key=1', 'https://b.example/?key=1'] as const;
let system: SimulatedPeek;
beforeEach(async () => {
  system = await startPeek({ apiKey });
});
afterEach(() => system.close());

const connected = () => connect(peek, { baseUrl: system.url, account: { apiKey } });
const read = () => connected().read(peekBooking.uuid);
const register = async (...formerUrls: string[]) =>
  peek.webhooks?.register(connected().contextFor(), { url, formerUrls });
const unregister = async (...urls: string[]) => peek.webhooks?.unregister(connected().contextFor(), { urls });
const ask = (path: string, request: RequestInit = {}) =>
  fetch(`${system.url}${path}`, {
    ...request,
    headers: { authorization: `Bearer ${apiKey}`, ...request.headers },
  });

test('a hold that has expired is no booking any more, as Peek says', async () => {
  system.put({ ...peekBooking, status: 'EXPIRED' });
  await expect(read()).rejects.toMatchObject({ code: 'booking_not_found' });
});

test('a product that is gone leaves a warning; its units count as one person each', async () => {
  system.put({ ...peekBooking, productId: 'gone' });
  const { booking, warnings } = await read();
  expect(booking.pax).toBe(2);
  expect(warnings.map(({ code }) => code)).toContain('value_ignored');
});

test('one webhook goes to the address, however often it is registered, and none to a former one', async () => {
  const hooks = () => system.webhooks.map(({ event, url: at }) => [event, at]);
  const own = ['booking_update', url];
  const headers = { 'content-type': 'application/json' };
  for (const at of [former, 'https://other.example/', url, url]) {
    const body = JSON.stringify({ event: 'booking_update', url: at });
    expect((await ask('/webhooks', { method: 'POST', headers, body })).status).toBe(200);
  }
  await register(former);
  await register(former);
  expect(hooks()).toEqual([['booking_update', 'https://other.example/'], own]);
  await unregister(url, former);
  await unregister(url, former);
  expect(hooks()).toEqual([['booking_update', 'https://other.example/']]);
});

test('a removal that is refused is a failure', async () => {
  const hook = { id: 'octohook_1', event: 'booking_update', url };
  system.faults.next('webhooks', { kind: 'status', status: 200, body: [hook] });
  await expect(unregister(url)).rejects.toThrow('there is no such webhook');
});

test('a list that is none, and a webhook that is not stored, are failures', async () => {
  system.faults.next('webhooks', { kind: 'status', status: 200, body: { webhooks: [] } });
  await expect(register()).rejects.toThrow('without a list');
  system.faults.next('webhooks', { kind: 'status', status: 200, body: [] });
  system.faults.next('webhooks', { kind: 'status', status: 200, body: {} });
  await expect(register()).rejects.toThrow('does not list it');
});
