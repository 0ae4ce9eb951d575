import type { ClaimedDelivery, Outbox } from '@waiver-service/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDispatcher, type DispatcherEvent, type Sender } from '../../src/index.ts';
import { claimed } from '../setup/in-flight-message.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 2 });
type Answer = Awaited<ReturnType<Sender>>;
const accepted: Answer = { outcome: 'accepted', status: 200, durationMs: 1 };

interface Given {
  readonly outbox?: Partial<Outbox>;
  readonly leaseMs?: number;
  readonly concurrency?: number;
}

/** A dispatcher with one slot that claims these messages once; the test answers its sends. */
function open(messages: readonly ClaimedDelivery[], given: Given = {}) {
  const calls: string[] = [];
  const sent: string[] = [];
  const aborted: string[] = [];
  const events: DispatcherEvent[] = [];
  const answers: ((result: Answer) => void)[] = [];
  let left = [...messages];
  const outbox: Outbox = {
    registerDispatcher: async () => {
      calls.push('register');
      return `dispatcher ${calls.filter((call) => call === 'register').length}`;
    },
    renewLease: async () => true,
    expireLease: async () => void calls.push('expire'),
    balanceShards: async () => 0,
    takeOver: async () => 0,
    findWork: async () => ({
      work: left.map(({ destination, pool }) => ({
        destination,
        pool,
        fresh: true,
        retrying: false,
        limited: false,
        failing: false,
      })),
      after: '',
    }),
    takeFirstRequests: async () => [],
    claim: async ({ epoch }) => {
      calls.push(`claim ${epoch}`);
      return left.splice(0);
    },
    claimProbes: async () => [],
    record: async (dispatcher, finished) => {
      calls.push(`${dispatcher} records ${finished.map(({ id }) => id)}`);
      return finished;
    },
    giveUp: async () => 1,
    returnClaims: async (_, returned) => void calls.push(`give back ${returned.map(({ id }) => id)}`),
    deleteBatches: async () => {},
    voidLostClaims: async () => {
      calls.push('void lost claims');
      return 1;
    },
    hold: async () => {},
    recordHealth: async () => [],
    countLanes: async () => [],
    pruneAttempts: async () => 0,
    listen: () => ({ close: async () => {} }),
    ...given.outbox,
  };
  const send: Sender = async ({ id }, signal) => {
    sent.push(id);
    signal.addEventListener('abort', () => aborted.push(id));
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answers.push(resolve);
    return promise;
  };
  const dispatcher = createDispatcher({
    outbox,
    senders: { guestUpdate: send, guestWebhook: send, alert: send, invitation: send },
    policy: { retrySchedule: [0, 700, 700], pauseAfterMs: 1_000, probeIntervalMs: 1_000 },
    concurrency: given.concurrency ?? 1,
    destinationConcurrency: 8,
    onEvent: (event) => events.push(event),
    leaseMs: given.leaseMs ?? 15_000,
    leaseMarginMs: (given.leaseMs ?? 15_000) / 6,
    stopWithinMs: 0,
  });
  dispatcher.start();
  const answer = (result: Answer) => answers.shift()?.(result);
  onTestFinished(async () => {
    const stopped = dispatcher.stop();
    while (answers.length > 0) answer(accepted);
    await stopped;
  });
  return {
    dispatcher,
    calls,
    sent,
    aborted,
    events,
    answer,
    enqueue: (...more: ClaimedDelivery[]) => {
      left = more;
    },
  };
}

const message = (id: string, destination: string, lane: number) => claimed({ id, destination, lane });

test('a lease that is renewed holds from before it was asked for', async () => {
  const { sent, aborted, events } = open([message('a', 't1', 1)], { leaseMs: 4_800 });
  await until(() => expect(sent).toEqual(['a']));
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(aborted).toEqual([]);
  expect(events).toEqual([]);
});

test('nothing begins under a lease that has not been renewed for half its time', async () => {
  const { sent, calls, answer } = open([message('first', 't1', 1), message('old', 't2', 2)], {
    leaseMs: 3_600,
    outbox: { renewLease: () => new Promise<never>(() => {}) },
  });
  await until(() => expect(sent).toEqual(['first']));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  answer(accepted);
  await until(() => expect(calls).toContain('give back old'));
  expect(sent).toEqual(['first']);
});
