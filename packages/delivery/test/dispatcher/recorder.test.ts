import type { DestinationHold, FinishedDelivery, Outbox } from '@waiver-service/store';
import { expect, test } from 'vitest';
import type { DispatcherEvent } from '../../src/dispatcher/events.ts';
import { createRecorder, type EndedTry } from '../../src/dispatcher/recorder.ts';
import { claimed } from '../setup/flight.ts';

const policy = { pauseAfterMs: 1_000, probeIntervalMs: 1_000 };

function ended(id: string, result: EndedTry['result'] = { outcome: 'accepted', status: 200 }): EndedTry {
  const { pool, destination, orderingKey, leaseToken } = claimed();
  return {
    destination,
    result,
    wasFailing: false,
    finished: {
      ...{ pool, destination, orderingKey, leaseToken, id },
      decision:
        result.outcome === 'accepted'
          ? { kind: 'delivered' }
          : { kind: 'retry', waitMs: 1_000, usesTry: true },
      inDoubt: false,
      attempt: { at: new Date(), durationMs: 1, outcome: result.outcome, trigger: 'schedule' },
    },
  };
}

const failure = (code: string) => Object.assign(new Error(`refused with ${code}`), { code });

/** A recorder over an outbox whose calls go wrong as told, and what it did in its order. */
function openRecorder(wrong: {
  finish?: (finished: readonly FinishedDelivery[], call: number) => Error | undefined;
  hold?: (call: number) => Error | undefined;
  recordHealth?: (call: number) => Error | undefined;
}) {
  const calls: string[] = [];
  const events: DispatcherEvent[] = [];
  const count = (name: string) => calls.filter((call) => call.startsWith(name)).length;
  const raise = (error: Error | undefined) => {
    if (error !== undefined) throw error;
  };
  const outbox: Pick<Outbox, 'finish' | 'hold' | 'recordHealth'> = {
    async hold(holds: readonly DestinationHold[]) {
      if (holds.length === 0) return;
      const call = count('hold');
      calls.push(`hold ${holds.map(({ destination }) => destination)}`);
      raise(wrong.hold?.(call));
    },
    async finish(finished) {
      const call = count('finish');
      calls.push(`finish ${finished.map(({ id }) => id)}`);
      raise(wrong.finish?.(finished, call));
      return new Map(finished.map(({ id }) => [id, true]));
    },
    async recordHealth() {
      const call = count('health');
      calls.push('health');
      raise(wrong.recordHealth?.(call));
      return [];
    },
  };
  const recorder = createRecorder({
    outbox,
    policy,
    onEvent: (event) => events.push(event),
    isMoreToCome: () => true,
  });
  return { recorder, calls, events };
}

test.each(['57014', '57P01', '08006', '40P01', '53300'])(
  'a statement that was interrupted (%s) is repeated until it is recorded',
  async (code) => {
    const { recorder, calls, events } = openRecorder({
      finish: (_, call) => (call < 2 ? failure(code) : undefined),
    });
    expect(await Promise.all([recorder.record(ended('a')), recorder.record(ended('b'))])).toEqual([
      true,
      true,
    ]);
    expect(calls).toEqual(['finish a,b', 'finish a,b', 'finish a,b', 'health']);
    expect(events.map(({ type }) => type)).toEqual(['fault', 'fault']);
  },
);

test('a lost connection without a code is repeated, too', async () => {
  const { recorder, calls } = openRecorder({
    finish: (_, call) => (call === 0 ? new Error('Connection terminated unexpectedly') : undefined),
  });
  expect(await recorder.record(ended('a'))).toBe(true);
  expect(calls).toEqual(['finish a', 'finish a', 'health']);
});

test('one that PostgreSQL refuses for good is left to its lease, and holds up none of the others', async () => {
  const { recorder, events } = openRecorder({
    finish: (finished) => (finished.some(({ id }) => id === 'bad') ? failure('22P05') : undefined),
  });
  const ids = ['a', 'bad', 'b'];
  expect(await Promise.all(ids.map((id) => recorder.record(ended(id))))).toEqual([true, false, true]);
  expect(events).toContainEqual(expect.objectContaining({ type: 'unrecorded', delivery: 'bad' }));
});

test('a hold is written before the end, so that no other message slips through; not without it', async () => {
  const { recorder, calls } = openRecorder({ hold: (call) => (call === 0 ? failure('08006') : undefined) });
  await recorder.record(
    ended('a', { outcome: 'refused', retry: 'schedule', status: 503, retryAfterMs: 60_000 }),
  );
  expect(calls).toEqual(['hold t1', 'hold t1', 'finish a', 'health']);
});

test('what was recorded before the health could be told is recorded again: it changes nothing the second time', async () => {
  const { recorder, calls } = openRecorder({
    recordHealth: (call) => (call === 0 ? failure('08006') : undefined),
  });
  expect(await recorder.record(ended('a'))).toBe(true);
  expect(calls).toEqual(['finish a', 'health', 'finish a', 'health']);
});

test('a recorder that gives up ends what the database does not take', async () => {
  const { recorder } = openRecorder({ finish: () => failure('08006') });
  const recorded = recorder.record(ended('a'));
  recorder.giveUp();
  expect(await recorded).toBe(false);
});
