import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkfrontBooking, type SimulatedCheckfront, startCheckfront } from '../simulator/index.ts';

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
    expect(detail.booking.items['1']).toMatchObject({
      start_date: 1812958200,
      qty: 1,
      param: { adults: { qty: 2 } },
    });
    expect((await (await call('booking/4021')).json()).booking.id, 'a booking has two ids').toBe(code);
    const index = await (await call('booking/index')).json();
    expect(index['booking/index']['4021']).toMatchObject({ code, customer_name: 'Zoë Bäcker' });
    expect(index['booking/index']['4021']).not.toHaveProperty('customer_phone');
    expect(await system.announce(receiver.url, code)).toBe(200);
    const { booking } = JSON.parse(receiver.received[0]?.body.toString() ?? '');
    expect(booking).toMatchObject({ '@attributes': { booking_id: '4021' }, code });
    expect(booking.order.items.item[0]).toMatchObject({ start_date: '1812958200', qty: '1', slip: {} });
    expect(booking.order.items.item[2].start_date).toEqual({});
    system.put(checkfrontBooking({ items: checkfrontBooking().items.slice(0, 1) }));
    await system.announce(receiver.url, code);
    const { booking: one } = JSON.parse(receiver.received[1]?.body.toString() ?? '');
    expect(one.order.items.item, 'a single item is no list').toMatchObject({ sku: 'canyonhalf' });
    await receiver.close();
    await expect(system.announce(receiver.url, 'none')).rejects.toThrow('no booking none');
  });

  test('announces a booking as a form and as XML too', async () => {
    const receiver = await startWebhookReceiver();
    system.put(checkfrontBooking({ customer: { name: 'A & <B>', email: 'a@example.com', phone: '' } }));
    await system.announce(receiver.url, code, 'form');
    await system.announce(receiver.url, code, 'xml');
    const [form = '', xml = ''] = receiver.received.map(({ body }) => body.toString());
    expect(new URLSearchParams(form).get('booking[code]')).toBe(code);
    expect(new URLSearchParams(form).get('booking[@attributes][booking_id]')).toBe('4021');
    expect(xml).toContain('<booking booking_id="4021"><code>QRST-120627</code>');
    expect(xml).toContain('<name>A &#38; &#60;B&#62;</name>');
    expect(receiver.received.map(({ headers: sent }) => sent['content-type'])).toEqual([
      'application/x-www-form-urlencoded',
      'application/xml',
    ]);
    await receiver.close();
  });

  test('lists guests by API v4, page after page, for a code and not for a number', async () => {
    const guests = ['Ida', 'Bo', 'Kai'].map((firstName) => ({
      uuid: firstName,
      firstName,
      lastName: '',
      email: '',
    }));
    system.put(checkfrontBooking({ guests }));
    const list = async (path: string) => {
      const answer = await call(`../4.0/bookings/${path}`);
      return answer.status === 200 ? answer.json() : answer.status;
    };
    const records = { total: 3, limit: 25, nextPageUrl: null };
    expect(await list(`${code}/guests/`)).toEqual({
      data: guests,
      meta: { records: { ...records, offset: 0 } },
    });
    expect(await list(`${code}/guests/?offset=2`)).toEqual({
      data: guests.slice(2),
      meta: { records: { ...records, offset: 2 } },
    });
    for (const path of ['4021/guests/', `${code}/guests`, 'none/guests/']) expect(await list(path)).toBe(404);
    expect((await call(`../4.0/bookings/${code}/guests/`, { headers: {} })).status).toBe(401);
    expect((await post(`../4.0/bookings/${code}/guests/`, '{}')).status).toBe(404);
  });

  test('lists the notes of a day in its time zone, of a month, or of 30 days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const bodiesOf = async (query: string) =>
      (await (await call(`booking/notes${query}`)).json()).notes.map(({ body }: { body: string }) => body);
    for (const [at, body] of [
      ['2027-05-01T12:00:00Z', 'old'],
      ['2027-06-10T12:00:00Z', 'yesterday'],
      ['2027-06-11T06:59:00Z', 'late yesterday'],
      ['2027-06-11T07:00:00Z', 'today'],
    ] as const) {
      vi.setSystemTime(at);
      system.addNote(code, body);
    }
    expect(system.notes.at(-1)?.date).toBe('2027-06-11T00:00:00-07:00');
    expect(await bodiesOf('?date=2027-06-10')).toEqual(['yesterday', 'late yesterday']);
    expect(await bodiesOf('?date=2027-06-11T09:00:00Z')).toEqual(['today']);
    expect(await bodiesOf('?date=2027-05')).toEqual(['old']);
    expect(await bodiesOf('')).toEqual(['yesterday', 'late yesterday', 'today']);
    vi.useRealTimers();
  });

  test('keeps every note', async () => {
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

  test('refuses wrong keys, unknown bookings and unknown addresses, and plays faults', async () => {
    expect((await call(`booking/${code}`, { headers: {} })).status).toBe(401);
    expect((await call('booking/none')).status).toBe(404);
    expect((await call('item')).status).toBe(404);
    system.faults.next('read', { kind: 'status', status: 429, retryAfter: 3 });
    const answer = await call(`booking/${code}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
  });
});
