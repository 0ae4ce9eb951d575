import type { ClaimedDelivery, Outbox } from '@waiver-service/outbox';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher, type DispatcherEvent, type Sender } from '../../src/index.ts';
import { claimed, work } from '../setup/in-flight-message.ts';
import { longTest, until } from '../setup/service.ts';

type Answer = Awaited<ReturnType<Sender>>;
const accepted: Answer = { outcome: 'accepted', status: 200, durationMs: 1 };
const refused: Answer = { outcome: 'refused', status: 500, retry: 'schedule', durationMs: 1 };

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
      work: left.map(({ destination, pool }) => work(destination, { pool })),
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

test('messages waiting for a destination that just failed are given back; those for others are sent', async () => {
  const { sent, calls, answer } = open([
    message('failing', 't1', 1),
    message('behind it', 't1', 2),
    message('elsewhere', 't2', 3),
  ]);
  await until(() => expect(sent).toEqual(['failing']));
  answer(refused);
  await until(() => expect(sent).toEqual(['failing', 'elsewhere']));
  await until(() => expect(calls).toContain('give back behind it'));
});

test('a message keeps its lane until its give-back is committed', async () => {
  const busy: (readonly number[])[] = [];
  const committed = Promise.withResolvers<void>();
  const { sent, answer } = open([message('failing', 't1', 1), message('behind it', 't1', 2)], {
    outbox: {
      returnClaims: () => committed.promise,
      findWork: async ({ busyLanes }) => {
        busy.push(busyLanes.get('t1') ?? []);
        return { work: busy.length === 1 ? [work('t1')] : [], after: '' };
      },
    },
  });
  await until(() => expect(sent).toEqual(['failing']));
  busy.length = 1;
  answer(refused);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const lanes of busy.slice(1)) expect(lanes).toContain(2);
  committed.resolve();
  await until(() => expect(busy.at(-1)).toEqual([]));
});

test('what ends while attempts are recorded is recorded together with what ends soon after', async () => {
  const recorded: (readonly string[])[] = [];
  const committed = Promise.withResolvers<void>();
  const { sent, answer, enqueue } = open([message('known as quick', 't1', 1)], {
    concurrency: 3,
    outbox: {
      record: async (_, finished) => {
        recorded.push(finished.map(({ id }) => id));
        if (recorded.length === 2) await committed.promise;
        return finished;
      },
    },
  });
  await until(() => expect(sent).toHaveLength(1));
  answer(accepted);
  await until(() => expect(recorded).toEqual([['known as quick']]));
  enqueue(message('a', 't1', 1), message('b', 't1', 2), message('c', 't1', 3));
  await until(() => expect(sent.slice(1)).toEqual(['a', 'b', 'c']));
  answer(accepted);
  await until(() => expect(recorded.slice(1)).toEqual([['a']]));
  answer(accepted);
  committed.resolve();
  // Not yet a timer's turn, but that of everything which follows the commit.
  await new Promise(setImmediate);
  answer(accepted);
  await until(() => expect(recorded.slice(2).flat()).toHaveLength(2));
  expect(recorded.slice(2)).toEqual([expect.arrayContaining(['b', 'c'])]);
});

test('a message is sent at once although a silent destination holds slots', async () => {
  let wake = () => {};
  const { sent, enqueue } = open([message('unanswered', 'silent', 1)], {
    concurrency: 4,
    outbox: {
      listen: ({ onWake }) => {
        wake = onWake;
        return { close: async () => {} };
      },
    },
  });
  await until(() => expect(sent).toEqual(['unanswered']));
  enqueue(message('prompt', 'healthy', 2));
  wake();
  // Before any timer fires.
  await new Promise(setImmediate);
  expect(sent).toEqual(['unanswered', 'prompt']);
});

test('a claim whose response was lost is voided before the next claim', async () => {
  let fails = true;
  const { calls, events } = open([], {
    outbox: {
      findWork: async () => {
        if (fails) {
          fails = false;
          throw new Error('connection lost');
        }
        return { work: [work('t1')], after: '' };
      },
    },
  });
  await until(() => expect(calls).toContain('claim 1'));
  expect(calls.slice(0, 3)).toEqual(['register', 'void lost claims', 'claim 1']);
  expect(events).toMatchObject([{ type: 'fault', doing: 'claiming messages' }]);
});

test('a dispatcher without its row sends and records nothing more, and continues with a new id', async () => {
  let isHeld = true;
  const { sent, aborted, calls, events, answer, enqueue } = open(
    [message('sending', 't1', 1), message('waiting', 't1', 2)],
    { leaseMs: 2_400, outbox: { renewLease: async () => isHeld } },
  );
  await until(() => expect(sent).toEqual(['sending']));
  isHeld = false;
  await until(() => expect(events).toContainEqual({ type: 'leases-lost', messages: 2 }));
  isHeld = true;
  expect(aborted).toEqual(['sending']);
  await until(() => expect(calls.filter((call) => call === 'register')).toHaveLength(2));
  enqueue(message('next', 't1', 3));
  answer(accepted);
  await until(() => expect(sent).toEqual(['sending', 'next']));
  answer(accepted);
  await until(() => expect(calls).toContain('dispatcher 2 records next'));
  expect(calls.filter((call) => call.includes('records'))).toHaveLength(1);
});

test('a dispatcher that learns from a voided claim that it was taken over continues with a new id, without a fault', async () => {
  let isLost = true;
  const { calls, events } = open([], {
    outbox: {
      findWork: async () => {
        if (isLost) throw new Error('connection lost');
        return { work: [], after: '' };
      },
      voidLostClaims: async () => {
        isLost = false;
        return undefined;
      },
    },
  });
  await until(() => expect(calls.filter((call) => call === 'register')).toHaveLength(2));
  const faults = events.flatMap((event) => (event.type === 'fault' ? [String(event.error)] : []));
  expect(faults).toEqual(['Error: connection lost']);
});

longTest('a lease that is renewed holds from before it was asked for', async () => {
  const { sent, aborted, events } = open([message('a', 't1', 1)], { leaseMs: 4_800 });
  await until(() => expect(sent).toEqual(['a']));
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(aborted).toEqual([]);
  expect(events).toEqual([]);
});

test.each([
  ['fails', () => Promise.reject(new Error('connection lost'))],
  ['does not answer', () => new Promise<never>(() => {})],
])(
  'a database that %s renews nothing: messages being sent are aborted before the lease ends',
  async (how, renewLease) => {
    const startedAt = performance.now();
    const { sent, aborted, events } = open([message('a', 't1', 1)], {
      leaseMs: 7_200,
      outbox: { renewLease },
    });
    await until(() => expect(sent).toEqual(['a']));
    await until(() => expect(aborted).toEqual(['a']));
    expect(performance.now() - startedAt).toBeGreaterThan(3_600);
    expect(performance.now() - startedAt).toBeLessThan(7_200);
    expect(events).toContainEqual({ type: 'leases-unrenewed', messages: 1 });
    expect(events.some((event) => event.type === 'fault')).toBe(how === 'fails');
  },
);

longTest('nothing begins under a lease that has not been renewed for half its time', async () => {
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

test('a stop gives back messages not begun, records those that end, and ends the lease last', async () => {
  const { dispatcher, sent, calls, answer } = open([
    message('sending', 't1', 1),
    message('waiting', 't1', 2),
  ]);
  await until(() => expect(sent).toEqual(['sending']));
  const stopped = dispatcher.stop();
  await until(() => expect(calls).toContain('give back waiting'));
  answer(accepted);
  await stopped;
  expect(calls.slice(-3)).toEqual(['give back waiting', 'dispatcher 1 records sending', 'expire']);
});
