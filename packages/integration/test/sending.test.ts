import { BookingSystemTimeout, WaiverRejected } from '@waiver-service/core';
import type { DispatcherEvent } from '@waiver-service/delivery';
import type { Exchange } from '@waiver-service/outbound';
import type { OutboundMessage } from '@waiver-service/outbox';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ConnectionUse } from '../src/plugins/connect-booking-system.ts';
import { reportDispatcher } from '../src/sending/dispatcher-events.ts';
import { createGuestUpdateSender } from '../src/sending/guest-update-sender.ts';

const read: Exchange = { method: 'GET', url: 'x', status: 200, durationMs: 1, excerpt: '{"guest":"Ann"}' };
const refused: Exchange = { ...read, method: 'POST', excerpt: '{"success":false,"message":"full"}' };
const broken: Exchange = { ...refused, status: 500, excerpt: 'broken' };

const message: OutboundMessage = {
  id: 'd1',
  kind: 'guest-update',
  pool: 'p1',
  destination: 't1',
  orderingKey: 'w1',
  waiverId: 'w1',
  version: 1,
  bookingId: 'b1',
  body: '{"waiver":{}}',
  attempts: 0,
  inDoubt: false,
  faults: 0,
  failing: false,
  trigger: 'schedule',
};

/** Pushes by a plugin that makes these calls and then throws. `onConnect` is told how it was connected. */
function push(
  exchanges: readonly Exchange[],
  error: unknown,
  { signal = new AbortController().signal, onConnect = (_: ConnectionUse) => {} } = {},
) {
  const never = () => Promise.reject(new Error('not used'));
  const send = createGuestUpdateSender({
    connector: {
      connect: async () => {
        let used: ConnectionUse | undefined;
        return {
          pool: 'p1',
          bookingSystem: 'vendor',
          installation: { destination: 't1', addressVersion: 0, environment: null },
          sharesDocument: false,
          plugin: {
            ...defineBookingSystem({
              installName: 'vendor',
              displayName: 'Vendor',
              contract: { pathShape: 'path', guestId: 'none' },
            }),
            async pushWaiver() {
              for (const exchange of exchanges) used?.onExchange?.(exchange);
              throw error;
            },
          },
          authorization: () => undefined,
          contextFor(use) {
            used = use;
            onConnect(use);
            return {
              pool: 'p1',
              settings: {},
              account: { accountId: 1, apiKey: 'planted-key' },
              installation: crypto.randomUUID(),
              secrets: { redact: String, redactData: String },
              signal: use.signal,
              http: { get: never, delete: never, post: never, put: never, patch: never },
            };
          },
        };
      },
    },
    bookings: { ownId: never, addAlias: never },
    installations: { withdraw: never },
    checkIn: { documentOf: () => never },
    timeoutMs: 1_000,
  });
  return send(message, signal);
}

const notAccepted = new WaiverRejected('full', {
  retry: 'schedule',
  upstreamStatus: 200,
  outboundErrorCode: 'not_accepted',
});

test('the answer of a failed write is kept', async () => {
  expect(
    await push([read, broken], new WaiverRejected('x', { retry: 'schedule', upstreamStatus: 500 })),
  ).toMatchObject({
    status: 500,
    response: 'broken',
  });
  expect(await push([read, refused], notAccepted)).toMatchObject({ status: 200, response: refused.excerpt });
});

test.each([
  ['a booking that was read before a refusal', [read], notAccepted],
  [
    'a write that was taken before a time-out',
    [{ ...refused, excerpt: '{"guest":"Ann"}' }],
    new BookingSystemTimeout('late'),
  ],
])('a guest’s data is not kept: %s', async (_, exchanges, error) => {
  const result = await push(exchanges, error);
  expect(result.outcome).toBe('refused');
  expect(result).not.toHaveProperty('response');
});

test('a Guest Update has one time limit for all its calls, and ends when its lease does', async () => {
  const { signal } = new AbortController();
  const connected: ConnectionUse[] = [];
  const earliest = performance.now() + 1_000;
  await push([read, broken], notAccepted, { signal, onConnect: (purpose) => connected.push(purpose) });
  expect(connected).toHaveLength(1);
  expect(connected[0]?.deadlineAt).toBeGreaterThanOrEqual(earliest);
  expect(connected[0]?.deadlineAt).toBeLessThanOrEqual(performance.now() + 1_000);
  expect(connected[0]?.signal).toBe(signal);
});

const untraced = { recordAttempt: () => undefined };

const sent = {
  id: 'd1',
  kind: 'guest-webhook' as const,
  pool: 'p1',
  destination: 't1',
  bookingSystem: null,
  waiverId: 'w1',
  version: 1,
  attempts: 0,
  trigger: 'schedule' as const,
};
const result = { durationMs: 1, status: 200, errorCode: undefined };

test('accepted attempts are logged as debug, others as info, faults of the service as errors', () => {
  const lines: string[] = [];
  const faults: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const report = reportDispatcher(log, { report: (subject) => faults.push(subject) }, untraced);
  const events: DispatcherEvent[] = [
    { type: 'attempt', message: sent, result: { ...result, outcome: 'accepted' }, decision: 'delivered' },
    { type: 'attempt', message: sent, result: { ...result, outcome: 'refused' }, decision: 'retry' },
    {
      type: 'attempt',
      message: sent,
      result: { ...result, outcome: 'own-fault' },
      decision: 'release',
      error: new Error('a bug of ours'),
    },
  ];
  for (const event of events) report(event);
  const levels = lines.map((line) => pino.levels.labels[JSON.parse(line).level]);
  expect(levels).toEqual(['debug', 'info', 'error']);
  expect(lines[2]).toContain('a bug of ours');
  expect(faults).toEqual(['attempts']);
});

test('a fault in sending an alert, and a database that is away, are only in the log', () => {
  const faults: string[] = [];
  const report = reportDispatcher(
    pino({ level: 'silent' }),
    { report: (subject) => faults.push(subject) },
    untraced,
  );
  const error = new Error('a bug of ours');
  const away = Object.assign(new Error('the database system is shutting down'), { code: '57P01' });
  const alert = { ...sent, kind: 'alert' as const, pool: '' };
  report({
    type: 'attempt',
    message: alert,
    result: { ...result, outcome: 'own-fault' },
    decision: 'release',
    error,
  });
  report({ type: 'unrecorded', delivery: 'd1', pool: '', error });
  report({ type: 'fault', doing: 'recording attempts', error: away });
  expect(faults).toEqual([]);
  report({ type: 'unrecorded', delivery: 'd1', pool: 'p1', error });
  report({ type: 'fault', doing: 'recording attempts', error });
  expect(faults).toEqual(['records of attempts', 'dispatcher recording attempts']);
});
