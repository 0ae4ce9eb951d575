import { noticeOf } from '@waiver-service/contract-suite';
import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedXola, startXola, xolaOrder } from '../simulator/index.ts';
import xola from '../src/index.ts';

const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5000 });
let system: SimulatedXola;
beforeEach(async () => {
  system = await startXola({ apiKey: 'seller-key-1' });
});
afterEach(() => system.close());
afterAll(() => outbound.close());

const read = (
  id = xolaOrder.id,
  account: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
) =>
  xola.fetchBooking(
    createBookingSystemContext({
      plugin: xola,
      outbound,
      baseUrl: system.url,
      pool: 'pool-1',
      settings,
      account: { accountId: 'seller-1', apiKey: 'seller-key-1', durationMinutes: 120, ...account },
      purpose: 'read',
      signal: new AbortController().signal,
    }),
    id,
  );

describe('over real HTTP', () => {
  test('an order of two activities is a booking of two sessions of the seller’s duration', async () => {
    const { booking, form } = await read();
    expect(form).toBe('native');
    expect(booking).toMatchObject({
      id: xolaOrder.id,
      status: '200',
      statusGroup: 'active',
      contact: { name: 'Siobhán Ní Dhúill', email: 'siobhan@example.com', phoneNumber: '+353 1 555 0100' },
      pax: 4,
      guests: [{ id: '6440f1a2b3c4d5e6f7a8b9a1' }, { id: '6440f1a2b3c4d5e6f7a8b9a2' }],
      bookedSessions: [
        { startsAt: '2027-06-12T08:30:00Z', endsAt: '2027-06-12T10:30:00Z', activityName: 'Sea kayaking' },
        { startsAt: '2027-06-12T13:00:00Z', endsAt: '2027-06-12T15:00:00Z', activityName: 'Coasteering' },
      ],
      notes: 'Arrives by bus',
    });
  });

  test('a version is sent by default: the seller’s own may be too old to have items', async () => {
    await read();
    await read(xolaOrder.id, {}, { apiVersion: '2021-03-10' });
    expect(system.received.map(({ headers }) => headers['x-api-version'])).toEqual([
      '2020-05-04',
      '2021-03-10',
    ]);
  });

  test('a cancelled order is read as cancelled, with its guests and its pax', async () => {
    const { booking: before } = await read();
    system.put({ ...xolaOrder, items: xolaOrder.items.map((item) => ({ ...item, status: 700 })) });
    const { booking } = await read();
    expect(booking).toEqual({ ...before, status: '700', statusGroup: 'cancelled' });
  });

  test('each error response has its own error', async () => {
    for (const id of ['none', '../users/me', '..', '']) {
      await expect(read(id), id).rejects.toMatchObject({ code: 'booking_not_found' });
    }
    await expect(read(xolaOrder.id, { apiKey: 'another' })).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
    });
    system.faults.next('read', { kind: 'status', status: 429, retryAfter: 30 });
    await expect(read()).rejects.toMatchObject({ code: 'booking_system_rate_limited', retryAfterMs: 30_000 });
    system.faults.next('read', { kind: 'half-json' });
    await expect(read()).rejects.toMatchObject({ code: 'invalid_booking_response' });
  });

  test('an id that cannot be part of a path is refused before any request', async () => {
    await expect(read('..')).rejects.toThrow('is no booking id');
    await expect(read('none')).rejects.toThrow('Xola');
    expect(system.received.map(({ path }) => path)).toEqual(['/api/orders/none']);
  });

  test('only orders are requested, and nothing is written', async () => {
    await read('a/../../users').catch(() => undefined);
    expect(system.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/orders/a%2F..%2F..%2Fusers',
    ]);
    expect(xola.pushWaiver).toBeUndefined();
  });

  test('its webhook names the changed orders', async () => {
    const receiver = await startWebhookReceiver({ auth: { type: 'none' } });
    await system.announce(receiver.url, 'order.update', system.orders.get(xolaOrder.id));
    await system.announce(receiver.url, 'installation.delete', { id: 'i1', plugin: {}, seller: {} });
    const calls = await receiver.untilReceived('webhook', 2);
    const bookingIds = calls.map(({ body }) => {
      return noticeOf(xola, { body: JSON.parse(body.toString()) })?.bookingIds;
    });
    expect(bookingIds).toEqual([[xolaOrder.id], []]);
    await receiver.close();
  });
});
