import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedZaui, startZaui, zauiBooking, zauiProduct } from '../simulator/index.ts';
import zaui from '../src/index.ts';

const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5000 });
let system: SimulatedZaui;
beforeEach(async () => {
  system = await startZaui({ apiKey: 'zaui-key-1' });
});
afterEach(() => system.close());
afterAll(() => outbound.close());

const read = (id: string = zauiBooking.uuid, apiKey = 'zaui-key-1') =>
  zaui.fetchBooking(
    createBookingSystemContext({
      plugin: zaui,
      outbound,
      baseUrl: system.url,
      pool: 'pool-1',
      settings: {},
      account: { accountId: 'supplier-1', apiKey },
      purpose: 'read',
      signal: new AbortController().signal,
    }),
    id,
  );
const get = (path: string, headers: Record<string, string> = { authorization: 'Bearer zaui-key-1' }) =>
  fetch(`${system.url}${path}`, { headers });

test('a booking is read with its product, whose units say how many people come', async () => {
  const { booking, form } = await read();
  expect(form).toBe('native');
  expect(booking).toMatchObject({
    id: zauiBooking.uuid,
    statusGroup: 'active',
    contact: { name: 'Siân Ó Briain', email: 'sian@example.com' },
    pax: 5,
    guests: [{ participantType: 'adult' }, { participantType: 'FAMILY' }],
    bookedSessions: [{ startsAt: '2027-06-12T16:30:00Z', activityName: '9:30am - Whale watching' }],
    notes: 'Seasick once',
  });
  expect(system.received.map(({ route }) => route)).toEqual(['read', 'product']);
});

test('each error response has its own error', async () => {
  for (const id of ['none', '../products', '..', '']) {
    await expect(read(id), id).rejects.toMatchObject({ code: 'booking_not_found' });
  }
  await expect(read(zauiBooking.uuid, 'another')).rejects.toMatchObject({
    code: 'booking_system_auth_rejected',
  });
  system.faults.next('product', { kind: 'status', status: 503 });
  await expect(read()).rejects.toMatchObject({ code: 'booking_system_error' });
});

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
