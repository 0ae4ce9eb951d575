import { type BookingSystemResponse, isBookingSystemError } from '@waiver-service/core';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { bookingIn, judgeAnswer, type RezdyCall, raiseForRezdy } from '../src/answers.ts';
import rezdy from '../src/index.ts';
import { personOf } from '../src/read.ts';
import { connected } from './connected.ts';
import { fixture, itemsOf, orderNumber } from './fixtures.ts';

const account = { accountId: 'a', apiKey: 'account-key' };
function read(changes: object) {
  nock('https://api.rezdy.com')
    .get(`/v1/bookings/${orderNumber}`)
    .reply(200, fixture('two-named-participants', changes));
  return connected('https://api.rezdy.com/v1').read(orderNumber);
}
const [first] = itemsOf('two-named-participants');
const withItem = (changes: object) => ({ items: [{ ...first, ...changes }] });

test('the key goes to Rezdy’s public address', () => {
  const access = { settings: {}, account, purpose: 'read' as const };
  expect(rezdy.url?.(access)).toBe('https://api.rezdy.com/v1');
  expect(rezdy.headers(access)).toEqual({ apiKey: 'account-key' });
});

describe('each fault is named with where it stands', () => {
  test.each([
    [{ customer: 7 }, 'customer is a number, not an object'],
    [withItem({ startTime: 'soon' }), 'items[0].startTime is "soon"'],
    [withItem({ endTime: 'later' }), 'items[0].endTime is "later"'],
    [withItem({ startTime: null, startTimeLocal: 'soon' }), 'items[0].startTimeLocal is "soon"'],
    [withItem({ endTime: null, endTimeLocal: 'later' }), 'items[0].endTimeLocal is "later"'],
  ])('%j', async (changes, message) => {
    await expect(read(changes)).rejects.toThrow(message);
  });

  test.each([
    [{ customer: {} }, 'contact_incomplete customer'],
    [{ orderNumber: 'R1' }, 'id_differs orderNumber'],
    [{ orderNumber: 77 }, 'number_as_string orderNumber'],
    [{ status: 77 }, 'number_as_string status'],
    [withItem({ productCode: null }), 'session_incomplete items[0]'],
    [withItem({ totalQuantity: 3 }), 'count_disagrees items[0].totalQuantity'],
    [withItem({ participants: [{ fields: [] }] }), 'count_disagrees items[0].participants'],
    [{ items: [first, { quantities: [{ value: 1 }] }] }, 'item_skipped items[1]'],
  ])('%j is a warning', async (changes, warning) => {
    const { warnings } = await read(changes);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toContain(warning);
  });

  test('an item without participants, or without a total, disagrees with nothing', async () => {
    for (const changes of [{ participants: [] }, { participants: null }, { totalQuantity: null }]) {
      const codes = (await read(withItem(changes))).warnings.map(({ code }) => code);
      expect(codes).not.toContain('count_disagrees');
    }
  });
});

test('the booker has a phone or a mobile, and a full name or a divided one', async () => {
  const contactOf = async (customer: object) => (await read({ customer })).booking.contact;
  expect(
    await contactOf({ name: 'Ana Silva', firstName: 'A', phone: '1', mobile: '2', email: 'a@b.cc' }),
  ).toEqual({ name: 'Ana Silva', phoneNumber: '1', email: 'a@b.cc' });
  expect(await contactOf({ firstName: 'Ana', lastName: 'Silva', phone: ' ', mobile: '2' })).toEqual({
    name: 'Ana Silva',
    phoneNumber: '2',
  });
});

test('participants of every item are guests, told apart by item and place', async () => {
  const { booking } = await read({ items: [first, first] });
  expect(booking.guests.map(({ id }) => id)).toEqual(['1-1', '1-2', '2-1', '2-2']);
});

test('comments and the reseller’s reference come along', async () => {
  const { booking } = await read({ comments: ' By ferry ', resellerReference: 'RS-1' });
  expect(booking).toMatchObject({ notes: 'By ferry', resellerReference: 'RS-1' });
});

test.each([
  ['Full Name', 'name'],
  ['name', 'name'],
  ['First name', 'name'],
  ['GIVEN NAME', 'name'],
  ['Last-Name', 'name'],
  ['Surname', 'name'],
  ['Family name', 'name'],
  ['E-mail', 'email'],
  ['Email address', 'email'],
  ['Phone', 'phoneNumber'],
  ['Phone number', 'phoneNumber'],
  ['Mobile', 'phoneNumber'],
  ['Mobile phone', 'phoneNumber'],
] as const)('the label %j tells a participant’s %s', (label, field) => {
  expect(personOf([{ label, value: 'said' }])[field]).toBe('said');
});

test('a name is put together from its parts; other labels say nothing of a person', () => {
  const fields = [
    { label: 'Surname', value: 'Silva' },
    { label: 'First name', value: 'Ana' },
    { label: 'Nickname', value: 'An' },
    { label: 'Phone model', value: 'X' },
  ];
  expect(personOf(fields)).toEqual({ name: 'Ana Silva', email: undefined, phoneNumber: undefined });
});

test.each([
  [['Adult'], 'adult'],
  [['Young adult'], 'Young adult'],
  [['Adults only'], 'Adults only'],
  [['Child'], 'child'],
  [['Grandchild'], 'Grandchild'],
  [['Children 4-8'], 'child'],
  [['Children of staff'], 'Children of staff'],
  [['Adult', 'Child'], undefined],
  [[], undefined],
])('the kinds %j make participants of the type %s', async (labels, type) => {
  const quantities = labels.map((optionLabel) => ({ optionLabel, value: 1 }));
  const { booking } = await read(withItem({ quantities, totalQuantity: 2 }));
  expect(booking.guests.map(({ participantType }) => participantType)).toEqual([type, type]);
});

describe('what Rezdy answers', () => {
  const refusal = (
    errorCode: unknown,
    errorMessage: unknown = 'no',
    status = 200,
  ): BookingSystemResponse => ({
    status,
    headers: {},
    data: { requestStatus: { success: false, error: { errorCode, errorMessage } } },
  });
  const failureOf = (response: BookingSystemResponse, call: RezdyCall) => {
    try {
      raiseForRezdy(response, call);
    } catch (error) {
      return isBookingSystemError(error) ? error : undefined;
    }
    return undefined;
  };
  const write: RezdyCall = { purpose: 'guest-update' };
  const reading: RezdyCall = { purpose: 'read', bookingId: orderNumber };

  test.each([
    ['4', 'bad-key'],
    [4, 'bad-key'],
    ['6', 'bad-key'],
    ['24', 'not-found'],
    ['5', undefined],
    ['99', undefined],
    [undefined, undefined],
  ])('the error %s means %s, with its words, whatever the status', (code, meaning) => {
    const expected = meaning && { meaning, vendorMessage: 'no' };
    expect(judgeAnswer(refusal(code))).toEqual(expected);
    if (meaning !== undefined) expect(judgeAnswer(refusal(code, 'no', 406))).toEqual(expected);
  });

  test.each([
    ['5', 'booking_system_timeout', 'booking_system_timeout'],
    ['99', 'booking_system_error', 'waiver_rejected'],
    [undefined, 'booking_system_error', 'waiver_rejected'],
  ])('the error %s is %s of a read and %s of a write', (code, ofRead, ofWrite) => {
    expect(failureOf(refusal(code), reading)?.code).toBe(ofRead);
    for (const call of [write, { ...write, isChange: true }]) {
      expect(failureOf(refusal(code), call)?.code).toBe(ofWrite);
    }
  });

  test('a call that Rezdy gave up is in doubt where it was the change itself', () => {
    const inDoubt = (call: RezdyCall) => failureOf(refusal('5'), call)?.inDoubt;
    const calls = [reading, write, { ...write, isChange: true }];
    expect(calls.map(inDoubt)).toEqual([false, false, true]);
  });

  test('406 asks for fewer requests; a success is none of these', () => {
    const plain = (status: number) => ({ status, headers: {}, data: { requestStatus: { success: true } } });
    expect(judgeAnswer(plain(406))).toMatchObject({ meaning: 'throttled' });
    expect(judgeAnswer(refusal('5', 'late', 406))).toBeUndefined();
    expect(judgeAnswer(plain(200))).toBeUndefined();
    expect(failureOf(plain(200), reading)).toBeUndefined();
    expect(failureOf(plain(200), write)).toBeUndefined();
  });

  test('an error beside a success is none', () => {
    const data = { requestStatus: { success: true, error: { errorCode: '4' } } };
    expect(judgeAnswer({ status: 200, headers: {}, data })).toBeUndefined();
    expect(failureOf({ status: 200, headers: {}, data }, reading)).toBeUndefined();
  });

  test('a refusal says its code and its words, and where it came from', () => {
    expect(failureOf(refusal('99', 'Being repaired'), reading)).toMatchObject({
      message: 'Rezdy refused the call with error 99: "Being repaired"',
      upstreamStatus: 200,
      outboundErrorCode: 'not_accepted',
    });
    expect(failureOf(refusal(undefined, null), write)).toMatchObject({
      message: 'Rezdy refused the call with error without a code: ""',
      retry: 'schedule',
    });
  });

  test('a booking must be in it, as an object', () => {
    const answer = (booking: unknown) => ({
      status: 200,
      headers: {},
      data: { requestStatus: { success: true }, booking },
    });
    expect(bookingIn(answer({ orderNumber }), reading)).toEqual({ orderNumber });
    for (const booking of [undefined, null, [], 'R1']) {
      expect(() => bookingIn(answer(booking), reading)).toThrow('there is no booking in it');
    }
  });
});
