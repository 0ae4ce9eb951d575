import type { DestinationHold, FinishedDelivery } from '@waiver-service/outbox';
import { expect, onTestFinished, test } from 'vitest';
import type { EndedAttempt } from '../../src/dispatcher/in-flight.ts';
import { createAttemptWriter } from '../../src/dispatcher/write-attempts.ts';
import { type DispatcherEvent, startAttemptPruner } from '../../src/index.ts';
import { claimed } from '../setup/in-flight-message.ts';
import { until } from '../setup/service.ts';

const policy = { pauseAfterMs: 1_000, probeIntervalMs: 1_000, retrySchedule: [0, 700, 900] };

function ended(
  id: string,
  result: EndedAttempt['result'] = { outcome: 'accepted', status: 200 },
): EndedAttempt {
  const { pool, destination, batch, sequence, rowId } = claimed();
  return {
    destination,
    result,
    wasFailing: false,
    finished: {
      pool,
      destination,
      batch,
      sequence,
      rowId,
      id,
      decision:
        result.outcome === 'accepted'
          ? { kind: 'delivered' }
          : { kind: 'retry', waitMs: 1_000, usesAttempt: true },
      inDoubt: false,
      attempt: { at: new Date(), durationMs: 1, outcome: result.outcome, trigger: 'schedule' },
    },
  };
}

const failure = (code: string) => Object.assign(new Error(`refused with ${code}`), { code });

/** A writer over an outbox whose calls fail as specified, and the calls in order. */
function openWriter(
  wrong: {
    record?: (finished: readonly FinishedDelivery[], call: number) => Error | undefined;
    hold?: (call: number) => Error | undefined;
    recordHealth?: (call: number) => Error | undefined;
  },
  isGivenUp = false,
) {
  const calls: string[] = [];
  const events: DispatcherEvent[] = [];
  const count = (name: string) => calls.filter((call) => call.startsWith(name)).length;
  const raise = (error: Error | undefined) => {
    if (error !== undefined) throw error;
  };
  const write = createAttemptWriter({
    outbox: {
      async hold(holds: readonly DestinationHold[]) {
        if (holds.length === 0) return;
        const call = count('hold');
        calls.push(`hold ${holds.map(({ destination }) => destination)}`);
        raise(wrong.hold?.(call));
      },
      async record(_, finished) {
        const call = count('record');
        calls.push(`record ${finished.map(({ id }) => id)}`);
        raise(wrong.record?.(finished, call));
        return finished;
      },
      async recordHealth() {
        const call = count('health');
        calls.push('health');
        raise(wrong.recordHealth?.(call));
        return [];
      },
      async giveUp(_, { id }, decide) {
        calls.push(`give up ${id}, then ${JSON.stringify(decide(1))}`);
        return 1;
      },
    },
    policy,
    onEvent: (event) => events.push(event),
    isGivenUp: () => isGivenUp,
  });
  return { write: (...attempts: EndedAttempt[]) => write('dispatcher', attempts), calls, events };
}

test.each(['57014', '57P01', '08006', '40P01', '53300'])(
  'a statement that was interrupted (%s) is repeated until it is recorded',
  async (code) => {
    const { write, calls, events } = openWriter({
      record: (_, call) => (call < 2 ? failure(code) : undefined),
    });
    await write(ended('a'), ended('b'));
    expect(calls).toEqual(['record a,b', 'record a,b', 'record a,b', 'health']);
    expect(events.map(({ type }) => type)).toEqual(['fault', 'fault']);
  },
);

test('a lost connection without a code is repeated, too', async () => {
  const { write, calls } = openWriter({
    record: (_, call) => (call === 0 ? new Error('Connection terminated unexpectedly') : undefined),
  });
  await write(ended('a'));
  expect(calls).toEqual(['record a', 'record a', 'health']);
});

test('one that PostgreSQL refuses for good is in doubt, and holds up none of the others', async () => {
  const { write, calls, events } = openWriter({
    record: (finished) => (finished.some(({ id }) => id === 'bad') ? failure('22P05') : undefined),
  });
  await write(ended('a'), ended('bad'), ended('b'));
  expect(calls).toEqual([
    'record a,bad,b',
    'record a',
    'health',
    'record bad',
    'give up bad, then {"kind":"retry","waitMs":700}',
    'record b',
    'health',
  ]);
  expect(events).toContainEqual(expect.objectContaining({ type: 'unrecorded', delivery: 'bad' }));
});

test('a hold is written before the end, so that no other message slips through; not without it', async () => {
  const { write, calls } = openWriter({ hold: (call) => (call === 0 ? failure('08006') : undefined) });
  await write(ended('a', { outcome: 'refused', retry: 'schedule', status: 503, retryAfterMs: 60_000 }));
  expect(calls).toEqual(['hold t1', 'hold t1', 'record a', 'health']);
});

test('attempts are recorded again if their health could not be: recording is idempotent', async () => {
  const { write, calls } = openWriter({
    recordHealth: (call) => (call === 0 ? failure('08006') : undefined),
  });
  await write(ended('a'));
  expect(calls).toEqual(['record a', 'health', 'record a', 'health']);
});

test('retries of a record end when the writer has to give up', async () => {
  const { write, calls } = openWriter({ record: () => failure('08006') }, true);
  await write(ended('a'));
  expect(calls).toEqual(['record a']);
});

test('old attempts are removed in batches until few are left; a failure is reported, and the next round retries', async () => {
  const limits: number[] = [];
  const events: DispatcherEvent[] = [];
  const retentionMs = 86_400_000;
  // A round ends with a batch that is not full, or with a failure.
  const batches = [1_000, 1_000, 999, new Error('the database is away'), 1_000, 0];
  let everyMs = 3_600_000;
  const prune = () =>
    startAttemptPruner({
      outbox: {
        async pruneAttempts(olderThanMs, limit) {
          expect(olderThanMs).toBe(retentionMs);
          limits.push(limit);
          const batch = batches.shift() ?? 0;
          if (batch instanceof Error) throw batch;
          return batch;
        },
      },
      retentionMs,
      onEvent: (event) => events.push(event),
      everyMs,
    });
  const first = prune();
  onTestFinished(() => first.stop());
  await until(() => expect(limits).toHaveLength(3));
  await first.stop();
  expect(events).toEqual([]);

  everyMs = 10;
  const second = prune();
  onTestFinished(() => second.stop());
  await until(() => expect(limits.length).toBeGreaterThan(6));
  await second.stop();
  expect(events).toEqual([{ type: 'fault', doing: 'pruning attempts', error: expect.any(Error) }]);
  expect(new Set(limits)).toEqual(new Set([1_000]));
});
