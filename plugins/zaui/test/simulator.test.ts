import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedZaui, startZaui, zauiBooking, zauiProduct } from '../simulator/index.ts';
import zaui from '../src/index.ts';

let system: SimulatedZaui;
beforeEach(async () => {
  system = await startZaui({ apiKey: 'zaui-key-1' });
});
afterEach(() => system.close());

const read = () =>
  connect(zaui, { baseUrl: system.url, account: { apiKey: 'zaui-key-1' } }).read(zauiBooking.uuid);
const get = (path: string, headers: Record<string, string> = { authorization: 'Bearer zaui-key-1' }) =>
  fetch(`${system.url}${path}`, { headers });

test('a product that is gone leaves a warning; its units count as one person each', async () => {
  system.put({ ...zauiBooking, productId: 'gone' });
  const { booking, warnings } = await read();
  expect(booking.pax).toBe(2);
  expect(warnings.map(({ code }) => code)).toContain('value_ignored');
});

test('the limit counts products, not bookings, and says when it ends', async () => {
  const products = () => get(`/products/${zauiProduct.id}`);
  expect((await products()).headers.get('octo-ratelimit-remaining')).toBe('64');
  for (let count = 0; count < 70; count += 1) {
    expect((await get(`/bookings/${zauiBooking.uuid}`)).status).toBe(200);
  }
  for (let count = 1; count < 65; count += 1) expect((await products()).status).toBe(200);
  const refused = await products();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('octo-ratelimit-retryafter'))).toBeGreaterThan(50);
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'booking_system_rate_limited' });
  expect(Object(error).retryAfterMs).toBeGreaterThan(50_000);
});

test('the simulator is as strict as OCTO: a key, known routes, and no changes', async () => {
  const codeOf = async (response: Response) => Object(await response.json()).error;
  expect(await codeOf(await get(`/bookings/${zauiBooking.uuid}`, {}))).toBe('UNAUTHORIZED');
  expect(await codeOf(await get('/products/none'))).toBe('INVALID_PRODUCT_ID');
  expect(await codeOf(await get('/suppliers'))).toBe('NOT_FOUND');
  const headers = { authorization: 'Bearer zaui-key-1', 'content-type': 'application/json' };
  const change = { method: 'PATCH', headers, body: JSON.stringify({ notes: 'x' }) };
  expect((await fetch(`${system.url}/bookings/${zauiBooking.uuid}`, change)).status).toBe(404);
  expect((await read()).booking.notes).toBe('Seasick once');
});
