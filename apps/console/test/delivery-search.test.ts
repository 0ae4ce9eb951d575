import { expect, test } from 'vitest';
import { readDeliverySearch, sinceOf } from '../src/pages/deliveries/delivery-search.ts';

test('an address is read; what makes no sense in it is left out', () => {
  expect(readDeliverySearch({ pool: 'p1', state: 'dead', kind: 'guest-webhook', period: '24h' })).toEqual({
    pool: 'p1',
    state: 'dead',
    kind: 'guest-webhook',
    period: '24h',
  });
  expect(readDeliverySearch({ pool: 42, state: 'lost', kind: [], period: '3h', waiverId: '' })).toEqual({
    pool: '42',
  });
});

test('an error is one that there is, and a status a number that can be one', () => {
  expect(readDeliverySearch({ errorCode: 'timeout', status: '503' })).toEqual({
    errorCode: 'timeout',
    status: 503,
  });
  expect(readDeliverySearch({ errorCode: 'bad_luck', status: 'teapot' })).toEqual({});
  expect(readDeliverySearch({ status: 600 })).toEqual({});
});

test('a period begins at a whole minute, so that the list stays the same for a while', () => {
  const now = Date.parse('2027-06-12T10:30:59.999Z');
  expect(sinceOf('1h', now)).toBe('2027-06-12T09:30:00.000Z');
  expect(sinceOf('7d', now)).toBe('2027-06-05T10:30:00.000Z');
  expect(sinceOf(undefined, now)).toBeUndefined();
});
