import { connect } from '@waiver-service/contract-suite';
import { isBookingSystemError } from '@waiver-service/core';
import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { raiseForFareHarbor } from '../src/answers.ts';
import fareharbor from '../src/index.ts';
import { readBooking } from '../src/read.ts';
import { fixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const account = { accountId: 'a', apiKey: 'user-key', shortname: 'northshore' };
const settings = { appKey: 'app-key' };
const { booking: booked } = fixture('booked');
const bookings = '/api/external/v1/companies/northshore/bookings';
const fetched = (id: string) => connect(fareharbor, { baseUrl: null, settings, account }).read(id);
const read = (changes: object, guestNameField?: string) =>
  readBooking({ ...booked, ...changes }, bookingId, { guestNameField });

test('both keys go to FareHarbor’s public address', () => {
  const access = { settings, account, purpose: 'read' as const };
  expect(fareharbor.url?.(access)).toBe('https://fareharbor.com/api/external/v1');
  expect(fareharbor.headers(access)).toEqual({
    'X-FareHarbor-API-App': 'app-key',
    'X-FareHarbor-API-User': 'user-key',
  });
});

describe('each fault is named with where it stands', () => {
  const times = { start_at: '2027-07-03T08:15:00-1000', end_at: '2027-07-03T11:45:00-1000' };
  test.each([
    [{ uuid: undefined }, 'uuid is missing'],
    [{ status: undefined }, 'status is missing'],
    [{ contact: 7 }, 'contact is a number where an object must be'],
    [{ contact: undefined }, 'contact is missing'],
    [{ customers: 'two' }, 'customers is a text where a list must be'],
    [{ availability: { ...times, start_at: 'soon' } }, 'availability.start_at is "soon"'],
    [{ availability: { ...times, end_at: 'later' } }, 'availability.end_at is "later"'],
  ])('%j', (changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });

  test.each([
    [{ contact: {} }, 'contact_incomplete contact'],
    [{ availability: times }, 'session_incomplete availability'],
    [{ customer_count: 3 }, 'count_disagrees customer_count'],
    [{ uuid: 'another' }, 'id_differs uuid'],
    [{ uuid: 7 }, 'number_as_string uuid'],
    [{ status: 7 }, 'number_as_string status'],
  ])('%j is a warning', (changes, warning) => {
    expect(read(changes).warnings.map(({ code, path }) => `${code} ${path}`)).toContain(warning);
  });

  test('a count that is right, or is none, is no warning', () => {
    for (const customer_count of [2, undefined, null, '3']) {
      const codes = read({ customer_count }).warnings.map(({ code }) => code);
      expect(codes).not.toContain('count_disagrees');
    }
  });
});

describe('a customer', () => {
  const guestOf = (values: unknown, nameField?: string) =>
    read({ customers: [{ pk: 1, custom_field_values: values }] }, nameField).booking.guests[0];

  test('keeps the first answer of a field, as FareHarbor shows it, by the field’s name', () => {
    expect(
      guestOf([
        { name: 'Size', value: 'l', display_value: 'Large' },
        { name: 'Size', value: 's', display_value: 'Small' },
        { custom_field: { name: 'Meal' }, value: 'vegan' },
        { name: 'Empty', value: '', display_value: ' ' },
        { value: 'nameless' },
      ]),
    ).toEqual({ id: '1', Size: 'Large', Meal: 'vegan' });
  });

  test('is named by the answer, not by its display value, and the first answer that is one', () => {
    const answers = [
      { name: 'Name', value: '', display_value: '' },
      { name: 'Name', value: 'Ann', display_value: 'Ann (shown)' },
      { name: 'Name', value: 'Bo' },
    ];
    expect(guestOf(answers, 'name')?.name).toBe('Ann');
    expect(guestOf([{ name: 'Name', display_value: 'Shown' }], 'name')?.name).toBe('Shown');
    expect(guestOf([{ custom_field: { pk: 12 }, value: 'By pk' }], '12')?.name).toBe('By pk');
    expect(guestOf(answers, 'nickname')).not.toHaveProperty('name');
  });

  test('is not named by the pk of an option', () => {
    const option = { name: 'Name', value: '6160118', custom_field: { type: 'extended-option' } };
    expect(guestOf([{ ...option, display_value: 'Captain' }], 'name')?.name).toBe('Captain');
    expect(guestOf([option], 'name')).not.toHaveProperty('name');
  });

  test('has no property of a reserved name from a field', () => {
    const names = ['id', 'guestId', 'name', 'participantType'];
    expect(guestOf(names.map((name) => ({ name, value: 'x' })))).toEqual({ id: '1' });
  });
});

test.each([
  ['booked', 'active', []],
  ['cancelled', 'cancelled', []],
  ['rebooked', 'cancelled', []],
  ['moved', 'other', ['unknown_status']],
])('a booking that is %s is %s, with the warnings %j', (status, statusGroup, codes) => {
  const { booking, warnings } = read({ status }, 'guest name');
  expect(booking).toMatchObject({ status, statusGroup });
  expect(warnings.map(({ code }) => code)).toEqual(codes);
});

describe('the number of people', () => {
  const field = (value: unknown, changes: object = {}) => ({ name: 'Guests', value, ...changes });
  const option = { custom_field: { pk: 9, type: 'extended-option' } };
  const customersWith = (...answers: unknown[]) =>
    answers.map((value, pk) => ({ pk, custom_field_values: value === undefined ? [] : [field(value)] }));
  const paxOf = (changes: object, guestCountField?: string) => {
    const { booking, warnings } = readBooking(
      { ...booked, customer_count: undefined, ...changes },
      bookingId,
      { guestCountField },
    );
    const isCount = (code: string) => code === 'count_disagrees' || code === 'value_ignored';
    return [booking.pax, ...warnings.flatMap(({ code, path }) => (isCount(code) ? `${code} ${path}` : []))];
  };

  test('is that of the customers unless a field is named and answered', () => {
    const custom_field_values = [field('8')];
    expect(paxOf({ custom_field_values })).toEqual([2]);
    expect(paxOf({ custom_field_values }, 'Children')).toEqual([2]);
    for (const unanswered of [undefined, null, [], [field('')], [field(' ')], [field(null)], [{}], 'x']) {
      expect(paxOf({ custom_field_values: unanswered }, 'guests')).toEqual([2]);
    }
  });

  test.each([
    ['a text', [field('8')], 8],
    ['a number', [field(8)], 8],
    ['with spaces', [field(' 08 ')], 8],
    ['the display value of an option', [field('6160118', { ...option, display_value: '12' })], 12],
    ['the first answer', [field(''), field('4'), field('5')], 4],
    ['as many as customers', [field('2')], 2],
  ])('is the answer of the booking: %s', (_name, custom_field_values, pax) => {
    expect(paxOf({ custom_field_values }, 'GUESTS')).toEqual([pax]);
  });

  test('is named by the pk of its field, too', () => {
    expect(paxOf({ custom_field_values: [{ value: '7', custom_field: { pk: 4720 } }] }, '4720')).toEqual([7]);
  });

  test('is ignored, with a warning, where it is not a whole number from 1 to 10,000', () => {
    for (const value of ['8 guests', '6-8', '-3', '0', '2.5', 'true', '٨', '4155550142', '10001', 0, -1]) {
      expect(paxOf({ custom_field_values: [field(value)] }, 'guests'), String(value)).toEqual([
        2,
        'value_ignored custom_field_values',
      ]);
    }
    expect(paxOf({ custom_field_values: [field('10000')] }, 'guests')).toEqual([10_000]);
  });

  test('is never that of an option’s pk', () => {
    expect(paxOf({ custom_field_values: [field('6160', option)] }, 'guests')).toEqual([2]);
  });

  test('is at least that of the customers', () => {
    expect(paxOf({ custom_field_values: [field('1')] }, 'guests')).toEqual([
      2,
      'count_disagrees custom_field_values',
    ]);
  });

  test('is the sum of the customers’ answers if the booking has none, and one for each without', () => {
    expect(paxOf({ customers: customersWith('6', undefined, '3') }, 'guests')).toEqual([10]);
    expect(paxOf({ customers: customersWith('6', 'few', '0') }, 'guests')).toEqual([
      8,
      'value_ignored customers[1].custom_field_values',
      'value_ignored customers[2].custom_field_values',
    ]);
    const customers = customersWith('6', '6');
    expect(paxOf({ customers, custom_field_values: [field('9')] }, 'guests')).toEqual([9]);
    expect(paxOf({ customers, custom_field_values: [field('all')] }, 'guests')).toEqual([
      12,
      'value_ignored custom_field_values',
    ]);
  });

  test('of a booking without customers is the answer of the booking', () => {
    const custom_field_values = [field('8')];
    expect(paxOf({ customers: [], custom_field_values }, 'guests')).toEqual([8]);
    expect(paxOf({ customers: [] }, 'guests')).toEqual([0]);
  });

  test('is read from the field that the installation names', () => {
    const information = { ...account, guestCountField: ' Guests ' };
    expect(fareharbor.accountSchema.parse(information)).toMatchObject({ guestCountField: 'Guests' });
    for (const guestCountField of ['', ' ', 'x'.repeat(257), 7]) {
      expect(fareharbor.accountSchema.safeParse({ ...account, guestCountField }).success).toBe(false);
    }
  });
});

test('no custom field of a booking takes the place of what the contract means by its name', () => {
  const { booking } = read({});
  const names = [...Object.keys(booking), 'startsAt', 'endsAt', 'activities', 'guestId', 'name', 'email'];
  names.push('phoneNumber', 'participantType');
  const custom_field_values = [...names, 'Hotel'].map((name) => ({ name, value: 'x' }));
  expect(read({ custom_field_values }).booking).toEqual({ ...booking, Hotel: 'x' });
});

describe('FareHarbor’s refusals', () => {
  /** The error of a read, for an answer. */
  const failureOf = async (status: number, data: object) => {
    nock('https://fareharbor.com').get(`${bookings}/${bookingId}/`).reply(status, data);
    const error = await fetched(bookingId).catch((reason: unknown) => reason);
    if (!isBookingSystemError(error)) throw new Error('the read should have been rejected');
    return error;
  };
  test.each([
    [400, 'key-missing', 'booking_system_auth_rejected'],
    [400, 'An app PARAMETER IS REQUIRED', 'booking_system_auth_rejected'],
    [400, 'something else', 'booking_system_error'],
    [403, 'app-key-invalid', 'booking_system_auth_rejected'],
    [403, 'user-key-invalid', 'booking_system_auth_rejected'],
    [403, 'app-invalid', 'booking_system_auth_rejected'],
    [403, 'The key is INVALID', 'booking_system_auth_rejected'],
    [403, 'Invalid application', 'booking_system_auth_rejected'],
    [403, 'slow down', 'booking_system_rate_limited'],
    [404, 'company-shortname-invalid', 'booking_system_not_configured'],
    [404, 'Not a Valid Company Shortname', 'booking_system_not_configured'],
    [404, 'booking-uuid-invalid', 'booking_not_found'],
    [404, 'anything', 'booking_not_found'],
    [400, 'company-shortname-invalid', 'booking_system_error'],
  ])('%i, %s: %s', async (status, error, code) => {
    expect((await failureOf(status, { error })).code).toBe(code);
    expect((await failureOf(status, { code: error })).code).toBe(code);
  });

  test('only where FareHarbor itself says so it is sure that there is no such booking', async () => {
    for (const sure of ['booking-uuid-invalid', 'Not a Valid Booking UUID'])
      expect((await failureOf(404, { error: sure })).message).not.toContain('wrong base address');
    expect((await failureOf(404, { error: 'Not Found' })).message).toContain('wrong base address');
  });

  test('a success is none, and a refusal of a note is told in FareHarbor’s words', () => {
    const answer = (status: number) => ({ status, headers: {}, data: { error: 'note-too-long' } });
    expect(() => raiseForFareHarbor(answer(200), { purpose: 'read', bookingId })).not.toThrow();
    expect(() => raiseForFareHarbor(answer(204), { purpose: 'guest-update' })).not.toThrow();
    expect(() => raiseForFareHarbor(answer(400), { purpose: 'guest-update' })).toThrow(
      'FareHarbor did not take the waiver (status 400), saying "note-too-long"',
    );
  });
});

describe('a booking that was moved', () => {
  /** FareHarbor has a chain of bookings, moved this many times. */
  const move = (times: number) => {
    for (let place = 0; place <= times; place += 1) {
      const rebooked_to = place < times ? `b${place + 1}` : null;
      nock('https://fareharbor.com')
        .get(`${bookings}/b${place}/`)
        .reply(200, { booking: { ...booked, uuid: `b${place}`, rebooked_to } });
    }
  };

  test('ten times is followed, by its own address each', async () => {
    move(10);
    expect((await fetched('b0')).booking.id).toBe('b10');
    expect(nock.isDone()).toBe(true);
  });

  test('more often is for a person to look at', async () => {
    onTestFinished(() => nock.cleanAll());
    move(11);
    await expect(fetched('b0')).rejects.toThrow('rebooked more than 10 times');
  });
});
