import { isBookingSystemError } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import xola from '../src/index.ts';
import { readOrder } from '../src/native/read-order.ts';
import { fixture } from './fixture.ts';

const id = '64b0c0ffee00000000000001';
const read = (name: string, durationMinutes?: number) => readOrder(fixture(name), id, durationMinutes);
const warningsOf = (name: string) => read(name).warnings.map(({ code, path }) => `${code} ${path}`);
const messageOf = (name: string) => {
  try {
    return JSON.stringify(read(name));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('the end of a session', () => {
  test('is never made up: without the seller’s duration there is none, and a warning', () => {
    expect(read('one-item').booking.bookedSessions).toEqual([
      {
        startsAt: '2027-04-20T07:30:00Z',
        activityId: '64b0c0ffee000000000000e1',
        activityName: 'Sea kayaking',
      },
    ]);
    expect(warningsOf('one-item')).toContain('session_incomplete items[0]');
  });

  test('stands on the right day where the session goes past midnight', () => {
    expect(read('two-items-and-notes', 23 * 60).booking.bookedSessions[1]?.endsAt).toBe(
      '2027-04-22T01:00:00Z',
    );
  });

  test('a duration of nothing, or of more than two weeks, is refused at install', () => {
    const account = { accountId: 'a', apiKey: 'k' };
    for (const durationMinutes of [0, -5, 1.5, 20_161, '90', null]) {
      expect(xola.accountSchema.safeParse({ ...account, durationMinutes }).success).toBe(false);
    }
    expect(xola.accountSchema.safeParse({ ...account, durationMinutes: 20_160 }).success).toBe(true);
  });
});

describe('items', () => {
  test('what is left out is said, with where it stands', () => {
    expect(warningsOf('open-dated-item')).toContain('item_skipped items[0]');
    expect(warningsOf('one-item-cancelled')).toContain('item_skipped items[0]');
  });

  test('an order without any time says what that means', () => {
    expect(messageOf('only-open-dated')).toContain('nothing to check in to as yet');
    expect(messageOf('arrival-without-zone')).toContain('items[0].arrivalDatetime');
    expect(messageOf('no-status')).toContain('items[].status');
  });

  test('a status beyond the documents is passed on as it is', () => {
    const order = { ...fixture('one-item'), status: 'confirmed' };
    expect(readOrder(order, id, 60).booking).toMatchObject({ status: 'confirmed', statusGroup: 'other' });
  });

  test.each([
    [100, 'other'],
    [199, 'other'],
    [200, 'active'],
    [299, 'active'],
    [300, 'other'],
    [700, 'cancelled'],
  ])('the status %i is %s', (status, group) => {
    const { booking } = readOrder({ ...fixture('one-item'), status }, id, 60);
    expect([booking.status, booking.statusGroup]).toEqual([String(status), group]);
  });
});

describe('settings', () => {
  test('without a version none is asked for', () => {
    const account = xola.accountSchema.parse({ accountId: 1, apiKey: 'k' });
    expect(xola.authHeaders({ settings: {}, account, purpose: 'read' })).toEqual({ 'X-API-KEY': 'k' });
  });
});

describe('what is not such a body', () => {
  test.each([undefined, 'order.update', [], {}, { eventName: 'order.update', data: {} }, { data: { id } }])(
    'the call %j is refused',
    (body) => {
      expect(() => xola.parseInbound?.({ headers: {}, query: {}, body })).toThrow();
    },
  );

  test('whatever stands in an order’s fields, it is read or refused in our words', () => {
    const names = Object.keys(fixture('one-item'));
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), fc.jsonValue(), (name, value, inner) => {
        const items = [
          { ...Object(fixture('one-item').items)[0], [name]: inner, guests: [inner], quantity: 1 },
        ];
        for (const order of [
          { ...fixture('one-item'), [name]: value },
          { ...fixture('one-item'), items },
        ]) {
          try {
            expect(readOrder(order, id, 60).booking.bookedSessions.length).toBeGreaterThan(0);
          } catch (error) {
            if (!isBookingSystemError(error)) throw error;
            expect(error.code).toBe('invalid_booking_response');
          }
        }
      }),
    );
  });
});
