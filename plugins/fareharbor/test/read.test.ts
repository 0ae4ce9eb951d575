import { type BookingSystemHttp, isBookingSystemError } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import { raiseForRead, raiseForWrite } from '../src/answers.ts';
import fareharbor from '../src/index.ts';
import { fetchBooking, readBooking } from '../src/read.ts';
import { fixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const account = { accountId: 'a', apiKey: 'user-key', shortname: 'northshore' };
const settings = { appKey: 'app-key' };
const { booking: booked } = fixture('booked');
const read = (changes: object, nameField?: string) =>
  readBooking({ ...booked, ...changes }, bookingId, nameField);

test('both keys go to FareHarbor’s public address', () => {
  const access = { settings, account, purpose: 'read' as const };
  expect(fareharbor.defaultBaseUrl?.(access)).toBe('https://fareharbor.com/api/external/v1');
  expect(fareharbor.authHeaders(access)).toEqual({
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

  test('has no property of a reserved name from a field', () => {
    const names = ['id', 'guestId', 'name', 'participantType'];
    expect(guestOf(names.map((name) => ({ name, value: 'x' })))).toEqual({ id: '1' });
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
    const answered = async () => ({ status, headers: {}, data });
    const http: BookingSystemHttp = {
      get: answered,
      delete: answered,
      post: answered,
      put: answered,
      patch: answered,
    };
    const { signal } = new AbortController();
    const secrets = { redact: String, redactData: String };
    const context = {
      http,
      account,
      settings,
      pool: 'p',
      installation: crypto.randomUUID(),
      secrets,
      signal,
    };
    const error = await fareharbor.fetchBooking(context, bookingId).catch((reason: unknown) => reason);
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
    expect(() => raiseForRead(answer(200), bookingId)).not.toThrow();
    expect(() => raiseForWrite(answer(204))).not.toThrow();
    expect(() => raiseForWrite(answer(400))).toThrow(
      'FareHarbor did not take the waiver (status 400), saying "note-too-long"',
    );
  });
});

describe('a booking that was moved', () => {
  /** A FareHarbor with a chain of bookings, moved this many times. */
  function moved(times: number) {
    const asked: string[] = [];
    const never = () => Promise.reject(new Error('not used'));
    const http: BookingSystemHttp = {
      get: async (path: string) => {
        asked.push(path);
        const place = asked.length - 1;
        const rebooked_to = place < times ? `b${place + 1}` : null;
        return { status: 200, headers: {}, data: { booking: { ...booked, uuid: `b${place}`, rebooked_to } } };
      },
      delete: never,
      post: never,
      put: never,
      patch: never,
    };
    const { signal } = new AbortController();
    const secrets = { redact: String, redactData: String };
    const fetched = fetchBooking(
      { http, account, settings, pool: 'p', installation: crypto.randomUUID(), secrets, signal },
      'b0',
    );
    return { fetched, asked };
  }

  test('ten times is followed, by its own address each', async () => {
    const { fetched, asked } = moved(10);
    expect((await fetched).booking.id).toBe('b10');
    expect(asked).toEqual(
      Array.from({ length: 11 }, (_, place) => `companies/northshore/bookings/b${place}/`),
    );
  });

  test('more often is for a person to look at', async () => {
    await expect(moved(11).fetched).rejects.toThrow('rebooked more than 10 times');
  });
});
