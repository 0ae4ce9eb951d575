import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkfrontBooking,
  type SimulatedCheckfront,
  startCheckfront,
  startWebhookReceiver,
} from '../src/index.ts';

const code = checkfrontBooking().code;
let system: SimulatedCheckfront;
beforeEach(async () => {
  system = await startCheckfront({ apiKey: 'key', apiSecret: 'se:cret' });
});
afterEach(() => system.close());

const headers = { authorization: `Basic ${Buffer.from('key:se:cret').toString('base64')}` };
const call = (path: string, init: RequestInit = {}) => fetch(`${system.url}/${path}`, { headers, ...init });
const post = (path: string, body: BodyInit) => call(path, { method: 'POST', body });

describe('a simulated Checkfront', () => {
  test('serves one booking in three shapes', async () => {
    const receiver = await startWebhookReceiver();
    const detail = await (await call(`booking/${code}`)).json();
    expect(detail.booking).toMatchObject({ id: code, booking_id: 4021, status_id: 'PAID' });
    expect(detail.booking.items['1']).toMatchObject({ start_date: 1812958200, qty: 2 });
    const index = await (await call('booking/index')).json();
    expect(index['booking/index']['4021']).toMatchObject({ code, customer_name: 'Zoë Bäcker' });
    expect(index['booking/index']['4021']).not.toHaveProperty('customer_phone');
    expect(await system.announce(receiver.url, code)).toBe(200);
    const { booking } = JSON.parse(receiver.received[0]?.body.toString() ?? '');
    expect(booking).toMatchObject({ '@attributes': { booking_id: '4021' }, code });
    expect(booking.order.items.item[0]).toMatchObject({ start_date: '1812958200', qty: '2', slip: {} });
    expect(booking.order.items.item[2].start_date).toEqual({});
    system.put(checkfrontBooking({ items: checkfrontBooking().items.slice(0, 1) }));
    await system.announce(receiver.url, code);
    const { booking: one } = JSON.parse(receiver.received[1]?.body.toString() ?? '');
    expect(one.order.items.item, 'a single item is no list').toMatchObject({ sku: 'canyonhalf' });
    await receiver.close();
    await expect(system.announce(receiver.url, 'none')).rejects.toThrow('no booking none');
  });

  test('keeps every note, whoever wrote it', async () => {
    system.addNote(code, 'call first');
    for (const body of ['one', 'one', 'ü & two']) {
      expect((await post(`booking/${code}/note`, new URLSearchParams({ body }))).status).toBe(200);
    }
    const { notes } = await (await call('booking/notes')).json();
    expect(notes.map(({ body }: { body: string }) => body)).toEqual(['call first', 'one', 'one', 'ü & two']);
    expect(notes).toEqual(system.notes);
  });

  test.each([
    ['a note of another type', `booking/${code}/note`, '{"body":"x"}', 400],
    [
      'a note past 3,000 characters',
      `booking/${code}/note`,
      new URLSearchParams({ body: 'x'.repeat(3001) }),
      400,
    ],
    ['an empty note', `booking/${code}/note`, new URLSearchParams({ body: '' }), 400],
    ['a note of no booking', 'booking/none/note', new URLSearchParams({ body: 'x' }), 404],
  ])('refuses %s', async (_what, path, body, status) => {
    expect((await post(path, body)).status).toBe(status);
    expect(system.notes).toEqual([]);
  });

  test('refuses other keys, other bookings and other addresses, and plays faults', async () => {
    expect((await call(`booking/${code}`, { headers: {} })).status).toBe(401);
    expect((await call('booking/none')).status).toBe(404);
    expect((await call('item')).status).toBe(404);
    system.faults.next('read', { kind: 'status', status: 429, retryAfter: 3 });
    const answer = await call(`booking/${code}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
  });
});
