import { expect, test } from 'vitest';
import { deliverySearch, searchOf, textIn } from '../src/shell/search-params.ts';

const readDeliverySearch = searchOf({ pool: textIn, ...deliverySearch });

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
