import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import fareharbor from '../src/index.ts';
import { readBooking } from '../src/native/read-booking.ts';
import { fixture } from './fixture.ts';
import { bookingId } from './scenarios.ts';

const inbound = (body: unknown) => fareharbor.parseInbound?.({ headers: {}, query: {}, body });

describe('settings and account', () => {
  test('a name field is found by its pk as well as by its name, whatever the case', () => {
    for (const field of ['4711', 'GUEST NAME', 'Guest name']) {
      const { booking } = readBooking(fixture('booked').booking, bookingId, field);
      expect(booking.guests.map(({ name }) => name)).toEqual(['Noor Haddad', '李 Wei']);
    }
    const { booking, warnings } = readBooking(fixture('booked').booking, bookingId, 'Can swim');
    expect(booking.guests).toEqual([{ id: '610001', name: 'true' }, { id: '610002' }]);
    expect(warnings).toEqual([expect.objectContaining({ code: 'guest_without_name', path: 'customers[1]' })]);
  });

  test('no name is made up where no field is set', () => {
    const { booking } = readBooking(fixture('booked').booking, bookingId);
    expect(booking.guests).toEqual([{ id: '610001' }, { id: '610002' }]);
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

describe('statuses', () => {
  test.each([
    ['booked', 'active'],
    ['cancelled', 'cancelled'],
    ['rebooked', 'cancelled'],
    ['toString', 'other'],
    ['something new', 'other'],
  ])('%s is %s', (status, group) => {
    const { booking } = readBooking({ ...fixture('booked').booking, status }, bookingId);
    expect(booking).toMatchObject({ status, statusGroup: group });
  });
});

describe('calls of FareHarbor', () => {
  test('what is no call of its own is refused', () => {
    for (const body of [
      undefined,
      null,
      '',
      'booking',
      [],
      {},
      { booking: {} },
      { booking: { uuid: ' ' } },
    ]) {
      expect(() => inbound(body), JSON.stringify(body)).toThrow();
    }
  });

  test('a booking that is not well in other ways is read anew all the same', () => {
    expect(inbound({ booking: { uuid: 'u', rebooked_from: 7, customers: null } })).toEqual({
      bookingIds: ['u'],
    });
    expect(inbound({ item: { pk: 1 } })).toEqual({ bookingIds: [] });
  });
});

test('whatever stands where a field of a booking should be, it is read or refused in words', () => {
  const fields = Object.keys(fixture('booked').booking);
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 }), (field, value) => {
      try {
        const { booking } = readBooking(
          { ...fixture('booked').booking, [field]: value },
          bookingId,
          'Guest name',
        );
        expect(booking.bookedSessions[0]?.startsAt).toMatch(/Z$/);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_booking_response' });
      }
    }),
  );
});
