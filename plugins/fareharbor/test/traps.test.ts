import { noticeOf } from '@waiver-service/contract-suite';
import { describe, expect, test } from 'vitest';
import fareharbor from '../src/index.ts';
import { readBooking } from '../src/read.ts';
import { fixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const inbound = (body: unknown) => noticeOf(fareharbor, { body });

test('a custom field called id is not taken for a guest’s id', () => {
  const custom = [{ name: 'id', display_value: '7' }];
  const booking = { ...fixture('booked').booking, customers: [{ custom_field_values: custom }] };
  expect(readBooking(booking, bookingId).booking.guests).toEqual([{}]);
});

describe('settings and account', () => {
  test('a name field is found by pk and by name, case-insensitively', () => {
    for (const field of ['4711', 'GUEST NAME', 'Guest name']) {
      const { booking } = readBooking(fixture('booked').booking, bookingId, { guestNameField: field });
      expect(booking.guests.map(({ name }) => name)).toEqual(['Noor Haddad', '李 Wei']);
    }
    const { booking, warnings } = readBooking(fixture('booked').booking, bookingId, {
      guestNameField: 'Can swim',
    });
    expect(booking.guests).toMatchObject([{ id: '610001', name: 'true' }, { id: '610002' }]);
    expect(booking.guests[1]).not.toHaveProperty('name');
    expect(warnings).toEqual([expect.objectContaining({ code: 'guest_without_name' })]);
  });

  test('without a name field, no name is made up', () => {
    const { booking } = readBooking(fixture('booked').booking, bookingId);
    expect(booking.guests.map(({ id }) => id)).toEqual(['610001', '610002']);
    for (const guest of booking.guests) expect(guest).not.toHaveProperty('name');
  });

  test('a shortname that would change the address is refused', () => {
    const account = { accountId: 1, apiKey: 'k' };
    for (const shortname of ['a/b', '..', 'a?b', '', 'a'.repeat(101)]) {
      expect(fareharbor.accountSchema.safeParse({ ...account, shortname }).success, shortname).toBe(false);
    }
    expect(fareharbor.accountSchema.safeParse({ ...account, shortname: 'north-shore_2' }).success).toBe(true);
    expect(fareharbor.settingsSchema.safeParse({}).error?.issues[0]?.path).toEqual(['appKey']);
  });
});

describe('the type of a customer', () => {
  const typeOf = (rate: unknown) => {
    const customers = [{ pk: 1, customer_type_rate: rate }];
    return readBooking({ ...fixture('booked').booking, customers }, bookingId).booking.guests[0]
      ?.participantType;
  };
  test.each([
    ['Adult', 'adult'],
    ['adults', 'adult'],
    ['Child', 'child'],
    ['CHILDREN', 'child'],
    ['Adult (18+)', 'Adult (18+)'],
    ['Diver', 'Diver'],
  ])('%s is %s', (singular, type) => {
    expect(typeOf({ customer_type: { singular } })).toBe(type);
    expect(typeOf({ customer_type: {}, customer_prototype: { display_name: singular } })).toBe(type);
  });

  test('is undefined without a customer type', () => {
    for (const rate of [undefined, null, 7, {}, { customer_type: { singular: ' ' } }]) {
      expect(typeOf(rate)).toBeUndefined();
    }
  });
});

test('customers must be a list, but a cancelled booking may lack them', () => {
  const read = (changes: object) =>
    readBooking({ ...fixture('booked').booking, ...changes }, bookingId).booking;
  expect(() => read({ customers: null })).toThrow('customers is null');
  expect(() => read({ customers: {}, status: 'cancelled' })).toThrow('customers is an object');
  expect(read({ customers: null, status: 'cancelled' })).toMatchObject({ pax: 0, guests: [] });
  expect(() => read({ availability: null })).toThrow('has no availability');
});

test('a cancelled booking is read whatever its times are', () => {
  const { booking } = fixture('booked');
  const read = (status: string, times: object) =>
    readBooking(
      { ...Object(booking), status, availability: { ...Object(booking).availability, ...times } },
      bookingId,
    ).booking;
  for (const start_at of ['2027-07-01T10:00:00', 'tomorrow']) {
    expect(() => read('booked', { start_at })).toThrow('availability.start_at');
    expect(read('cancelled', { start_at })).toMatchObject({ statusGroup: 'cancelled', bookedSessions: [] });
  }
  expect(() => read('booked', { end_at: 'later' })).toThrow('availability.end_at');
  const [session] = read('cancelled', { end_at: 'later' }).bookedSessions;
  expect(session).toHaveProperty('startsAt');
  expect(session).not.toHaveProperty('endsAt');
});

describe('calls of FareHarbor', () => {
  test('any other body is refused', () => {
    for (const body of [
      undefined,
      null,
      '',
      'booking',
      7,
      [],
      { booking: null },
      { booking: [] },
      { booking: {} },
      { booking: { uuid: ' ' } },
    ]) {
      expect(() => inbound(body), JSON.stringify(body)).toThrow();
    }
  });

  test('a booking that is otherwise invalid is reported all the same', () => {
    expect(inbound({ booking: { uuid: 'u', rebooked_from: 7, customers: null } })).toEqual({
      bookingIds: ['u'],
    });
  });

  test('one without a booking is accepted and has no effect, since failing hooks are disabled', () => {
    for (const body of [{}, { item: { pk: 1 } }, { crew: [] }, { crew_member: null, deleted: true }]) {
      expect(inbound(body), JSON.stringify(body)).toEqual({ bookingIds: [] });
    }
  });
});
