import {
  AuthenticationRejected,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  RateLimited,
  WaiverRejected,
} from '@waiver-service/core';
import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/index.ts';

test.each([
  [
    new WaiverRejected('no', { retry: 'never', upstreamStatus: 410, outboundErrorCode: 'http_status' }),
    { outcome: 'refused', retry: 'never', status: 410, errorCode: 'http_status' },
  ],
  [
    new WaiverRejected('no', { retry: 'schedule', upstreamStatus: 200 }),
    { outcome: 'refused', retry: 'schedule', status: 200, errorCode: 'not_accepted' },
  ],
  [
    new RateLimited('slow', { upstreamStatus: 429, retryAfterMs: 7_000 }),
    {
      outcome: 'refused',
      retry: 'schedule',
      status: 429,
      errorCode: 'http_status',
      retryAfterMs: 7_000,
      throttled: true,
    },
  ],
  [
    new BookingSystemUnavailable('gone', { upstreamStatus: 410 }),
    { outcome: 'refused', retry: 'never', status: 410, errorCode: 'http_status' },
  ],
  [
    new BookingSystemUnavailable('not found', { upstreamStatus: 404 }),
    { outcome: 'refused', retry: 'schedule', status: 404, errorCode: 'http_status' },
  ],
  [
    new RateLimited('slow', { upstreamStatus: 400 }),
    { outcome: 'refused', retry: 'schedule', status: 400, errorCode: 'http_status', throttled: true },
  ],
  [
    new AuthenticationRejected('key', { upstreamStatus: 400 }),
    { outcome: 'refused', retry: 'schedule', status: 400, errorCode: 'http_status' },
  ],
  [
    new AuthenticationRejected('key', { upstreamStatus: 401 }),
    { outcome: 'refused', retry: 'schedule', status: 401, errorCode: 'http_status' },
  ],
  [
    new BookingSystemUnavailable('x', { upstreamStatus: 422 }),
    { outcome: 'refused', retry: 'three-attempts', status: 422, errorCode: 'http_status' },
  ],
  [
    new BookingSystemTimeout('late', { outboundErrorCode: 'timeout', inDoubt: true }),
    { outcome: 'in-doubt', retry: 'schedule', errorCode: 'timeout' },
  ],
  [
    new BookingSystemUnavailable('down', { outboundErrorCode: 'connection_refused', retryAfterMs: 3_000 }),
    { outcome: 'refused', retry: 'schedule', errorCode: 'connection_refused', retryAfterMs: 3_000 },
  ],
  [new RateLimited('used up', { notSent: true, retryAfterMs: 700 }), { outcome: 'postponed', waitMs: 700 }],
  [new TypeError('a bug'), { outcome: 'own-fault', error: new TypeError('a bug') }],
  ['thrown text', { outcome: 'own-fault', error: 'thrown text' }],
])('%s', (error, outcome) => {
  expect(outcomeOf(error)).toEqual(outcome);
});

test('an unconfigured booking system uses no attempt, even if a plugin’s own copy of the kit reports it', () => {
  const ofAnotherCopy = Object.assign(new Error('set its key'), {
    [Symbol.for('waiver-service.booking-system-error')]: true,
    code: 'booking_system_not_configured',
    retryable: true,
    inDoubt: false,
  });
  expect(outcomeOf(ofAnotherCopy)).toEqual({ outcome: 'own-fault', error: ofAnotherCopy });
});
