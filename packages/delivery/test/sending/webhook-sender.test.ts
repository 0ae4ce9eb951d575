import {
  AuthenticationRejected,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  RateLimited,
  WaiverRejected,
} from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import type { OutboundMessage } from '@waiver-service/outbox';
import type { WebhookEndpoint } from '@waiver-service/store';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookSender, outcomeOf } from '../../src/index.ts';
import { startReceiver, status } from '../setup/service.ts';

const message: OutboundMessage = {
  id: 'message-1',
  kind: 'guest-webhook',
  pool: 'p1',
  destination: 'destination-1',
  orderingKey: 'waiver-1',
  waiverId: 'waiver-1',
  version: 1,
  bookingId: null,
  body: '{"guest":{}}',
  attempts: 0,
  inDoubt: false,
  failing: false,
  faults: 0,
  trigger: 'schedule',
};

function openSender(url: string, read: () => void = () => {}) {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000 });
  onTestFinished(() => outbound.close());
  const at = new Date();
  const endpoint: WebhookEndpoint = {
    id: 'endpoint-1',
    pool: 'p1',
    url,
    auth: { type: 'none' },
    properties: [],
    signingSecrets: [],
    destinationId: 'destination-1',
    createdAt: at,
    updatedAt: at,
  };
  return createWebhookSender({
    outbound,
    endpointOf: async () => {
      read();
      return endpoint;
    },
  });
}

const { signal } = new AbortController();
const sendTo = (url: string) => openSender(url)(message, signal);

test('a Retry-After with a date means the time from the receiver’s own date on, however wrong its clock', async () => {
  const receiver = await startReceiver(
    status(503, { date: 'Sat, 01 Jan 2000 00:00:00 GMT', 'retry-after': 'Sat, 01 Jan 2000 00:02:00 GMT' }),
  );
  await expect(sendTo(receiver.url)).resolves.toMatchObject({ outcome: 'refused', retryAfterMs: 120_000 });
});

test.each([
  [200, { outcome: 'accepted', status: 200 }],
  [204, { outcome: 'accepted', status: 204 }],
  [299, { outcome: 'accepted', status: 299 }],
  [404, { outcome: 'refused', status: 404, errorCode: 'http_status', retry: 'schedule', gone: false }],
  [410, { outcome: 'refused', status: 410, errorCode: 'http_status', retry: 'schedule', gone: true }],
  [422, { outcome: 'refused', status: 422, errorCode: 'http_status', retry: 'three-attempts', gone: false }],
])('every 2xx is a success, and nothing else: a webhook that answers %i', async (code, result) => {
  const receiver = await startReceiver(status(code));
  expect(await sendTo(receiver.url)).toMatchObject(result);
});

test('an endpoint that could not be read is read again for the next message', async () => {
  const receiver = await startReceiver();
  let failures = 1;
  const send = openSender(receiver.url, () => {
    if (failures === 0) return;
    failures -= 1;
    throw new Error('connection lost');
  });
  const claimed = { ...message, settingsVersion: '1' };
  await expect(send(claimed, signal)).rejects.toThrow('connection lost');
  expect(await send(claimed, signal)).toMatchObject({ outcome: 'accepted' });
});

test('an endpoint is read once for many messages, and again as soon as a claim finds it changed', async () => {
  const receiver = await startReceiver();
  let reads = 0;
  const send = openSender(receiver.url, () => {
    reads += 1;
  });
  for (const settingsVersion of ['1', '1', '2', '2']) await send({ ...message, settingsVersion }, signal);
  expect(reads).toBe(2);
  // An operator's test message has no settings version: the endpoint may just have changed.
  await send(message, signal);
  expect(reads).toBe(3);
});

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
