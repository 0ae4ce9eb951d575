import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedBookingSystem, startBookingSystem } from '../src/index.ts';

const secretKey = 'signing-secret';
const maxAgeMs = 60_000;
const sign = (date: string, method: string, address: string, body = '') =>
  createHmac('sha256', secretKey).update([date, method, address, body].join('\n')).digest('hex');

let system: SimulatedBookingSystem;
beforeEach(async () => {
  system = await startBookingSystem({
    apiKey: 'never-sent',
    pathShape: 'path',
    form: 'current',
    isAuthentic({ method, url, headers, body, now }) {
      const { 'x-date': date = '', 'x-signature': signature } = headers;
      const isFresh = Math.abs(now.getTime() - Date.parse(date)) < maxAgeMs;
      const expected = sign(date, method, url.pathname + url.search, Buffer.from(body).toString());
      return isFresh && signature === expected;
    },
  });
});
afterEach(() => system.close());

const address = '/bookings/BK-1001?pool=p%C3%BC';

async function statusOf(
  method: string,
  path: string,
  signed: { date?: string; address?: string; body?: string },
) {
  const { date = new Date().toISOString() } = signed;
  const signature = sign(date, method, signed.address ?? path, signed.body);
  const headers = { 'x-date': date, 'x-signature': signature, 'content-type': 'application/json' };
  const body = method === 'POST' ? '{}' : null;
  return (await fetch(system.url + path, { method, headers, body })).status;
}

test('a request is answered if its signature is over the address, the body and a fresh date', async () => {
  expect(await statusOf('GET', address, {})).toBe(200);
  // Authentic, though it is no waiver.
  expect(await statusOf('POST', '/bookings/BK-1001/guests/', { body: '{}' })).toBe(400);
});

test.each([
  ['another path', { address: '/bookings/BK-1002?pool=p%C3%BC' }],
  ['no query', { address: '/bookings/BK-1001' }],
  ['a decoded query', { address: '/bookings/BK-1001?pool=pü' }],
  ['a stale date', { date: new Date(Date.now() - maxAgeMs).toISOString() }],
  ['another body', { body: '{}' }],
])('a signature over %s is refused, and takes no effect', async (_mistake, signed) => {
  expect(await statusOf('GET', address, signed)).toBe(401);
  expect(system.received.at(-1)?.answer?.status).toBe(401);
});

test('the account’s key in a header is no signature', async () => {
  const answer = await fetch(system.url + address, { headers: { 'api-key': 'never-sent' } });
  expect(answer.status).toBe(401);
});
