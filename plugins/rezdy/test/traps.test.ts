import { connect, noticeOf } from '@waiver-service/contract-suite';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { fixture, itemsOf, orderNumber } from './fixtures.ts';

const connected = (account?: object) => connect(plugin, { baseUrl: 'https://rezdy.example', account });
function read(body: nock.Body, account?: object) {
  nock('https://rezdy.example').get(`/bookings/${orderNumber}`).reply(200, body);
  return connected(account).read(orderNumber);
}
const withItem = (changes: object) =>
  fixture('two-named-participants', { items: [{ ...itemsOf('two-named-participants')[0], ...changes }] });

test('a local time needs the account’s time zone; without one, the error says so', async () => {
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

test('a booking without any time is refused with a message for the operator', async () => {
  await expect(read(fixture('only-a-pickup'))).rejects.toThrow(/R4REEF2.*has a time.*pick-up/);
});

test('a missing end, product or phone is a warning; a missing order number, status or item list is named', async () => {
  const { warnings } = await read(withItem({ endTime: null, endTimeLocal: null, productName: null }));
  expect(warnings.map(({ code }) => code)).toEqual(['session_incomplete', 'session_incomplete']);
  const missing = { orderNumber: undefined, status: null, customer: undefined };
  await expect(read(fixture('two-named-participants', missing))).rejects.toMatchObject({
    issues: [{ path: 'status' }, { path: 'orderNumber' }, { path: 'customer' }],
  });
  await expect(read(fixture('two-named-participants', { items: null }))).rejects.toThrow('items is null');
});

test('counts that disagree are warnings; the total is used without quantities', async () => {
  expect((await read(withItem({ quantities: [], totalQuantity: 2 }))).booking.pax).toBe(2);
  const { booking, warnings } = await read(withItem({ totalQuantity: 9 }));
  expect(booking.pax).toBe(2);
  expect(warnings).toMatchObject([{ code: 'count_disagrees', path: 'items[0].totalQuantity' }]);
  await expect(read(withItem({ quantities: [{ value: 'two' }] }))).rejects.toThrow('quantities[0].value');
  await expect(read(withItem({ quantities: [], totalQuantity: undefined }))).rejects.toThrow('totalQuantity');
});

test('an empty field gives way to another one with the same meaning', async () => {
  const fields = [
    { label: 'Phone' },
    { label: 'Surname', value: 'Holt' },
    { label: 'MOBILE', value: '0412' },
  ];
  const { booking } = await read(withItem({ participants: [{ fields }, {}] }));
  expect(booking.guests).toEqual([
    {
      id: '1-1',
      name: 'Holt',
      phoneNumber: '0412',
      participantType: 'adult',
      Surname: 'Holt',
      MOBILE: '0412',
    },
    { id: '1-2', participantType: 'adult' },
  ]);
});

test('an account’s own fields are kept by label, and override none of ours', async () => {
  const fields = [
    { label: 'id', value: '7' },
    { label: 'name', value: 'Ngaire' },
    { label: 'Name', value: 'Somebody else' },
    { label: 'Date of Birth', value: '1990-05-04' },
    { label: 'Date of Birth', value: 'again' },
    { label: 'Shoe size', value: 43 },
    { label: 'Allergies' },
    { label: ' ', value: 'no label' },
    { label: '__proto__', value: 'polluted' },
    { value: 'none' },
  ];
  const { booking } = await read(withItem({ participants: [{ fields }, null, { fields: null }] }));
  expect(booking.guests).toEqual([
    {
      id: '1-1',
      name: 'Ngaire',
      Name: 'Somebody else',
      participantType: 'adult',
      'Date of Birth': '1990-05-04',
      'Shoe size': '43',
      ['__proto__']: 'polluted',
    },
    { id: '1-3', participantType: 'adult' },
  ]);
});

test.each([
  ['PROCESSING', 'other'],
  ['NEW', 'other'],
  ['ON_HOLD', 'other'],
  ['PENDING_SUPPLIER', 'other'],
  ['PENDING_CUSTOMER', 'other'],
  ['CONFIRMED', 'active'],
  ['CANCELLED', 'cancelled'],
  ['ABANDONED_CART', 'cancelled'],
  ['SOMETHING_NEW', 'other'],
])('an order that is %s is %s', async (status, statusGroup) => {
  const { booking, warnings } = await read(fixture('two-named-participants', { status }));
  expect(booking).toMatchObject({ status, statusGroup, pax: 2 });
  const unknown = warnings.filter(({ code }) => code === 'unknown_status').map(({ path }) => path);
  expect(unknown).toEqual(status === 'SOMETHING_NEW' ? ['status'] : []);
  expect(booking.guests).toHaveLength(2);
});

test('every status of the map is tested', () => {
  expect(Object.keys(plugin.statusMap ?? {})).toHaveLength(8);
});

describe('a cancelled order is read', () => {
  const cancelled = (changes: object = {}) =>
    read(fixture('two-named-participants', { status: 'CANCELLED', ...changes }));

  test.each([[null], [undefined], [[]]])('without its items (%j)', async (items) => {
    const { booking } = await cancelled({ items });
    expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 0, guests: [], bookedSessions: [] });
  });

  test('with the guests of items whose times are missing or whose time zone is unknown', async () => {
    const [item] = itemsOf('two-named-participants');
    const times = { startTime: null, endTime: null, endTimeLocal: null };
    for (const startTimeLocal of [null, '2027-06-12 08:00:00']) {
      const { booking } = await cancelled({ items: [{ ...item, ...times, startTimeLocal }, {}] });
      expect(booking).toMatchObject({ pax: 2, bookedSessions: [] });
      expect(booking.guests.map(({ id }) => id)).toEqual(['1-1', '1-2']);
    }
  });

  test('with the number of participants if its counts are missing, and without its customer', async () => {
    const [item] = itemsOf('two-named-participants');
    const items = [{ ...item, quantities: [], totalQuantity: null }];
    const { booking, warnings } = await cancelled({ items, customer: undefined });
    expect(booking).toMatchObject({ pax: 2, contact: { name: '' } });
    expect(warnings.map(({ code }) => code)).toEqual(['contact_incomplete']);
  });
});

test('the error contains Rezdy’s message', async () => {
  await expect(read(fixture('key-not-accepted'))).rejects.toThrow('saying "The API key is not valid"');
  await expect(read(fixture('another-error'))).rejects.toThrow(/error 99: "Something is being repaired"/);
  await expect(read(fixture('timed-out'))).rejects.toMatchObject({ inDoubt: false });
});

test('a body without Rezdy’s envelope is not a booking', async () => {
  for (const body of [
    {},
    { requestStatus: { success: true } },
    Object(fixture('two-named-participants').booking),
  ]) {
    await expect(read(body)).rejects.toThrow('there is no booking in it');
  }
});

test('an id that cannot be part of a URL is refused before any request', async () => {
  for (const id of ['', '.', '..', '\ud800']) {
    await expect(connected().read(id)).rejects.toMatchObject({ code: 'booking_not_found' });
    await expect(connected().push({ bookingId: id })).rejects.toMatchObject({
      code: 'waiver_rejected',
      retry: 'never',
    });
  }
});

test('a webhook without an order names none, and any other body is refused', () => {
  const parse = (body: unknown) => noticeOf(plugin, { body });
  for (const body of [{}, { productCode: 'P1' }, { id: 7, firstName: 'Ana' }, { orderNumber: '' }]) {
    expect(parse(body)).toEqual({ bookingIds: [] });
  }
  for (const body of [null, 'x', [], '<order/>']) expect(() => parse(body)).toThrow('not a Rezdy webhook');
});
