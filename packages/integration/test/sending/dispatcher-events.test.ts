import type { DispatcherEvent } from '@waiver-service/delivery';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { reportDispatcher } from '../../src/sending/dispatcher-events.ts';

const untraced = { recordAttempt: () => undefined };

const message = {
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
    { type: 'attempt', message, result: { ...result, outcome: 'accepted' }, decision: 'delivered' },
    { type: 'attempt', message, result: { ...result, outcome: 'refused' }, decision: 'retry' },
    {
      type: 'attempt',
      message,
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
  const alert = { ...message, kind: 'alert' as const, pool: '' };
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
