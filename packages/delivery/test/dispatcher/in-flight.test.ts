import { expect, test } from 'vitest';
import { createInFlight, type EndedAttempt, type InFlightMessage } from '../../src/dispatcher/in-flight.ts';
import { queued } from '../setup/in-flight-message.ts';

/** A message of a pool, to the pool's own destination. */
const entry = (pool: string, given: Partial<InFlightMessage> = {}): InFlightMessage => ({
  ...queued({ pool, destination: `of ${pool}` }),
  ...given,
});

const attemptOf = ({ message }: InFlightMessage): EndedAttempt => ({
  destination: message.destination,
  result: { outcome: 'accepted' },
  wasFailing: false,
  finished: {
    ...message,
    decision: { kind: 'delivered' },
    inDoubt: false,
    attempt: { at: new Date(), durationMs: 1, outcome: 'accepted', trigger: 'schedule' },
  },
});

/** Begins messages until none may begin. @returns their pools, in that order */
function beginAll(inFlight: ReturnType<typeof createInFlight>): string[] {
  const begun: string[] = [];
  for (let next = inFlight.next(); next !== undefined; next = inFlight.next()) {
    inFlight.begin(next);
    begun.push(next.message.pool);
  }
  return begun;
}

test('the pool that is sending the least is next, whatever its position in the queue', () => {
  const inFlight = createInFlight(8);
  for (const pool of ['busy', 'busy', 'idle']) {
    const sending = entry(pool);
    inFlight.add(sending);
    inFlight.begin(sending);
  }
  for (const pool of ['busy', 'busy', 'idle', 'idle']) inFlight.add(entry(pool));
  expect(beginAll(inFlight)).toEqual(['idle', 'busy', 'idle', 'busy']);
});

test('a message that must begin soon precedes all others', () => {
  const inFlight = createInFlight(8);
  const soon = { beginBy: performance.now() + 100 };
  const urgent = entry('p2', soon);
  for (const each of [entry('p1'), entry('p2'), urgent]) inFlight.add(each);
  expect(inFlight.next()).toBe(urgent);
});

test("a pool's slow calls get half of what the others leave, and its quick ones go past them", () => {
  const inFlight = createInFlight(4);
  for (let i = 0; i < 4; i += 1) inFlight.add(entry('p1', { isSlow: true }));
  const quick = entry('p1', { claimedAt: performance.now() + 1 });
  inFlight.add(quick);
  expect(beginAll(inFlight)).toEqual(['p1', 'p1', 'p1']);
  expect(quick.state).toBe('sending');
  expect(inFlight.slowRoomOf('p1')).toBe(-2);
  expect(inFlight.slowRoomOf('p2')).toBe(1);
  // One of them ends: the next slow one may begin.
  const [slow] = inFlight.all('sending').filter(({ isSlow }) => isSlow);
  if (slow !== undefined) inFlight.end(slow, attemptOf(slow));
  expect(beginAll(inFlight)).toEqual(['p1']);
});

test('queued, sending and ended messages are counted by state, by destination and among the retries', () => {
  const inFlight = createInFlight(8);
  const counts = () => ({
    size: inFlight.size,
    queued: inFlight.queued,
    sending: inFlight.sending,
    ended: inFlight.ended,
    retries: inFlight.retries,
    busy: Object.fromEntries(inFlight.busy),
  });
  const first = entry('p1');
  const retry = entry('p1', { isRetry: true });
  inFlight.add(first);
  inFlight.add(retry);
  const nothing = { size: 0, queued: 0, sending: 0, ended: 0, retries: 0, busy: {} };
  expect(counts()).toEqual({ ...nothing, size: 2, queued: 2, retries: 1, busy: { 'of p1': 2 } });
  inFlight.begin(first);
  expect(counts()).toEqual({
    ...nothing,
    size: 2,
    queued: 1,
    sending: 1,
    retries: 1,
    busy: { 'of p1': 2 },
  });
  inFlight.end(first, attemptOf(first));
  expect(counts()).toEqual({ ...nothing, size: 2, queued: 1, ended: 1, retries: 1, busy: { 'of p1': 1 } });
  inFlight.returnQueued(() => true);
  expect(inFlight.all('returning')).toEqual([retry]);
  expect(counts()).toEqual({ ...nothing, size: 2, ended: 1 });
  inFlight.remove(retry);
  inFlight.remove(first);
  expect(counts()).toEqual(nothing);
});

test('nothing is in flight when the last message is recorded or removed', async () => {
  const inFlight = createInFlight(8);
  await inFlight.drained();
  const sending = entry('p1');
  const waiting = entry('p1');
  inFlight.add(sending);
  inFlight.add(waiting);
  inFlight.begin(sending);
  let isDrained = false;
  const drained = inFlight.drained().then(() => {
    isDrained = true;
  });
  inFlight.end(sending, attemptOf(sending));
  inFlight.remove(sending);
  await Promise.resolve();
  expect(isDrained).toBe(false);
  inFlight.returnQueued(() => true);
  inFlight.remove(waiting);
  await drained;
});

test('a lane is in use, and its shard, from the claim until the attempt is recorded or the message given back', () => {
  const inFlight = createInFlight(8);
  const sent = queued({ lane: 5, shard: 3 });
  const returned = queued({ lane: 6, shard: 3 });
  for (const each of [sent, returned]) inFlight.add(each);
  inFlight.begin(sent);
  inFlight.returnQueued(() => true);
  inFlight.end(sent, attemptOf(sent));
  expect(inFlight.busyLanes()).toEqual(new Map([['t1', [5, 6]]]));
  inFlight.remove(returned);
  expect(inFlight.busyLanes()).toEqual(new Map([['t1', [5]]]));
  expect(inFlight.shards()).toEqual([3]);
  inFlight.remove(sent);
  expect(inFlight.busyLanes()).toEqual(new Map());
  expect(inFlight.shards()).toEqual([]);
});

test('a batch is finished, once, when nothing of it is left', () => {
  const inFlight = createInFlight(8);
  const first = queued({ batch: 1 });
  const second = queued({ batch: 1 });
  const other = queued({ batch: 2 });
  for (const each of [first, second, other]) inFlight.add(each);
  inFlight.returnQueued((each) => each !== other);
  inFlight.remove(first);
  expect(inFlight.takeFinishedBatches()).toEqual([]);
  inFlight.remove(second);
  inFlight.remove(second);
  expect(inFlight.batches()).toEqual([2]);
  expect(inFlight.takeFinishedBatches()).toEqual([1]);
  expect(inFlight.takeFinishedBatches()).toEqual([]);
});

test('after a takeover, sends are aborted and keep their lanes until they have ended', async () => {
  const inFlight = createInFlight(8);
  const sending = queued({ lane: 5 });
  const ended = queued({ lane: 6 });
  const waiting = queued({ lane: 7 });
  for (const each of [ended, sending, waiting]) inFlight.add(each);
  inFlight.begin(ended);
  inFlight.begin(sending);
  inFlight.end(ended, attemptOf(ended));
  inFlight.lose();
  expect(sending.abort.signal.aborted).toBe(true);
  expect(inFlight.next()).toBeUndefined();
  expect(inFlight.all('ended')).toEqual([]);
  expect(inFlight.busyLanes()).toEqual(new Map([['t1', [5]]]));
  inFlight.end(sending, attemptOf(sending));
  expect(inFlight.all('ended')).toEqual([]);
  expect(inFlight.takeFinishedBatches()).toEqual([]);
  await inFlight.drained();
});
