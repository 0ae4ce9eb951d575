import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { peekBooking, peekProduct, type SimulatedPeek, startPeek } from '../simulator/index.ts';
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

test('the simulator is as strict as Peek: a key, a content type, its one event, known routes, and no changes', async () => {
  const refusalOf = async (response: Response) => [response.status, Object(await response.json()).error];
  const json = { 'content-type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json) =>
    ask('/webhooks', { method: 'POST', body, headers });
  const own = JSON.stringify({ event: 'booking_update', url });
  const noKey = await fetch(`${system.url}/products/${peekProduct.id}`);
  expect(await refusalOf(noKey)).toEqual([401, 'UNAUTHORIZED']);
  const wrongKey = await ask('/products', { headers: { authorization: 'Bearer another' } });
  expect(await refusalOf(wrongKey)).toEqual([403, 'FORBIDDEN']);
  expect(await refusalOf(await ask('/products/none'))).toEqual([400, 'INVALID_PRODUCT_ID']);
  expect(await refusalOf(await ask('/bookings?localDate=2027-06-12'))).toEqual([400, 'BAD_REQUEST']);
  expect(await refusalOf(await ask('/supplier'))).toEqual([404, 'NOT_FOUND']);
  expect(await refusalOf(await post(own, {}))).toEqual([400, 'BAD_REQUEST']);
  for (const body of [
    '',
    '[]',
    '{}',
    own.replace('booking_update', 'availability_update'),
    '{"event":"booking_update","url":"/hook"}',
  ]) {
    expect(await refusalOf(await post(body)), body).toEqual([400, 'BAD_REQUEST']);
  }
  expect((await post(own)).status).toBe(200);
  const path = `/webhooks/${system.webhooks[0]?.id}`;
  expect(await refusalOf(await ask(path, { method: 'DELETE' }))).toEqual([400, 'BAD_REQUEST']);
  expect((await ask(path, { method: 'DELETE', headers: json })).status).toBe(200);
  expect(await refusalOf(await ask(path, { method: 'DELETE', headers: json }))).toEqual([400, 'BAD_REQUEST']);
  const change = { method: 'PATCH', headers: json, body: JSON.stringify({ notes: 'x' }) };
  expect((await ask(`/bookings/${peekBooking.uuid}`, change)).status).toBe(404);
  expect((await read()).booking.notes).toBe('Brings a dog');
});
