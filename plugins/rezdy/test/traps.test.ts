import { expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { waiverOf } from './connected.ts';
import { fixture, itemsOf, orderNumber } from './fixtures.ts';

const nobody = async () => {
  throw new Error('a call was made');
};
function contextWith(body?: unknown, information: object = {}) {
  const get = body === undefined ? nobody : async () => ({ status: 200, headers: {}, data: body });
  return {
    pool: 'pool-1',
    http: { get, delete: nobody, post: nobody, put: nobody, patch: nobody },
    settings: {},
    account: plugin.accountSchema.parse({ accountId: 'a', apiKey: 'k', ...information }),
    signal: new AbortController().signal,
  };
}
const read = (body: unknown, information?: object) =>
  plugin.fetchBooking(contextWith(body, information), orderNumber);
const withItem = (changes: object) =>
  fixture('two-named-participants', { items: [{ ...itemsOf('two-named-participants')[0], ...changes }] });

test('a local time needs the account’s time zone, and says so where it has none', async () => {
  await expect(read(fixture('local-times-only'))).rejects.toThrow(
    /items\[0\]\.startTimeLocal .* no time zone/,
  );
  const { booking } = await read(fixture('local-times-only'), { timeZone: 'Australia/Sydney' });
  expect(booking.bookedSessions[0]?.startsAt).toBe('2027-06-11T22:00:00Z');
});

test('an installation with a time zone that does not exist is refused', () => {
  const account = { accountId: 'a', apiKey: 'k' };
  expect(plugin.accountSchema.safeParse({ ...account, timeZone: 'Sydney' }).success).toBe(false);
  expect(plugin.accountSchema.safeParse({ ...account, timeZone: 'x'.repeat(65) }).success).toBe(false);
  expect(plugin.accountSchema.safeParse(account).success).toBe(true);
});

test('a booking without any time is refused in words that an operator can act on', async () => {
  await expect(read(fixture('only-a-pickup'))).rejects.toThrow(/R4REEF2.*has a time.*pick-up/);
});

test('a missing end, product or phone is a warning; a missing order number, status or item list is named', async () => {
  const { warnings } = await read(withItem({ endTime: null, endTimeLocal: null, productName: null }));
  expect(warnings.map(({ code }) => code)).toEqual(['session_incomplete', 'session_incomplete']);
  const missing = { orderNumber: undefined, status: null, customer: undefined };
  await expect(read(fixture('two-named-participants', missing))).rejects.toMatchObject({
    issues: [{ path: 'orderNumber' }, { path: 'status' }, { path: 'customer' }],
  });
  await expect(read(fixture('two-named-participants', { items: null }))).rejects.toThrow('items is null');
});

test('counts that disagree are said; a total serves where there are no quantities', async () => {
  expect((await read(withItem({ quantities: [], totalQuantity: 2 }))).booking.pax).toBe(2);
  const { booking, warnings } = await read(withItem({ totalQuantity: 9 }));
  expect(booking.pax).toBe(2);
  expect(warnings).toMatchObject([{ code: 'count_disagrees', path: 'items[0].totalQuantity' }]);
  await expect(read(withItem({ quantities: [{ value: 'two' }] }))).rejects.toThrow('quantities[0].value');
  await expect(read(withItem({ quantities: [], totalQuantity: undefined }))).rejects.toThrow('totalQuantity');
});

test('a field that is left empty gives way to another one that says the same', async () => {
  const fields = [
    { label: 'Phone' },
    { label: 'Surname', value: 'Holt' },
    { label: 'MOBILE', value: '0412' },
  ];
  const { booking } = await read(withItem({ participants: [{ fields }, {}] }));
  expect(booking.guests).toEqual([{ id: '1-1', name: 'Holt', phoneNumber: '0412' }, { id: '1-2' }]);
});

test('another order than the one asked for is read, and said', async () => {
  const { warnings } = await read(fixture('two-named-participants', { orderNumber: 'R1' }));
  expect(warnings).toMatchObject([{ code: 'id_differs' }]);
});

test('what is no envelope of Rezdy’s is not a booking', async () => {
  for (const body of [{}, { requestStatus: { success: true } }, fixture('two-named-participants').booking]) {
    await expect(read(body)).rejects.toThrow('there is no booking in it');
  }
});

test('an id that a URL cannot carry is refused before any call', async () => {
  for (const id of ['', '.', '..', '\ud800']) {
    await expect(plugin.fetchBooking(contextWith(), id)).rejects.toMatchObject({ code: 'booking_not_found' });
    const written = plugin.pushWaiver?.(contextWith(), waiverOf({ bookingId: id }));
    await expect(written).rejects.toMatchObject({ code: 'waiver_rejected', retry: 'never' });
  }
});

test('a call that is not about an order is refused', () => {
  for (const body of [null, 'x', [], {}, { productCode: 'P1' }, { orderNumber: '' }, { orderNumber: {} }]) {
    expect(() => plugin.parseInbound?.({ headers: {}, query: {}, body })).toThrow('orderNumber');
  }
});
