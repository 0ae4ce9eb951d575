import { expect, test } from 'vitest';
import { createFlights, type Flight } from '../../src/dispatcher/flights.ts';
import { flightOf } from '../setup/flight.ts';

/** A flight of a pool, to a destination of its own. */
const flight = (pool: string, given: Partial<Flight> = {}): Flight => ({
  ...flightOf({ pool, destination: `of ${pool}` }),
  ...given,
});

/** Begins whatever is next, until nothing may begin: the pools in that order. */
function beginAll(flights: ReturnType<typeof createFlights>): string[] {
  const begun: string[] = [];
  for (let next = flights.next(); next !== undefined; next = flights.next()) {
    flights.begin(next);
    begun.push(next.message.pool);
  }
  return begun;
}

test('the pool that is sending the least is next, wherever it stands in the line', () => {
  const flights = createFlights(8);
  for (const pool of ['busy', 'busy', 'idle']) {
    const sending = flight(pool);
    flights.add(sending);
    flights.begin(sending);
  }
  for (const pool of ['busy', 'busy', 'idle', 'idle']) flights.add(flight(pool));
  expect(beginAll(flights)).toEqual(['idle', 'busy', 'idle', 'busy']);
});

test('what must begin soon goes before its own pool and before every other', () => {
  const flights = createFlights(8);
  const soon = { beginBy: performance.now() + 100 };
  const urgent = flight('p2', soon);
  for (const each of [flight('p1'), flight('p2'), urgent]) flights.add(each);
  expect(flights.next()).toBe(urgent);
});

test("a pool's slow calls get half of what the others leave, and its quick ones go past them", () => {
  const flights = createFlights(4);
  for (let i = 0; i < 4; i += 1) flights.add(flight('p1', { isSlow: true }));
  const quick = flight('p1', { claimedAt: performance.now() + 1 });
  flights.add(quick);
  expect(beginAll(flights)).toEqual(['p1', 'p1', 'p1']);
  expect(quick.stage).toBe('sending');
  expect(flights.slowRoomOf('p1')).toBe(-2);
  expect(flights.slowRoomOf('p2')).toBe(1);
  // One of them ends: the next slow one may begin.
  const [slow] = flights.all().filter(({ isSlow, stage }) => isSlow && stage === 'sending');
  if (slow !== undefined) flights.end(slow);
  expect(beginAll(flights)).toEqual(['p1']);
});

test('what waits, is sent and has ended is counted where it is, for its destination and among the retries', () => {
  const flights = createFlights(8);
  const counts = () => ({
    size: flights.size,
    waiting: flights.waiting,
    sending: flights.sending,
    ended: flights.ended,
    retries: flights.retries,
    busy: Object.fromEntries(flights.busy),
  });
  const [first, retry] = [flight('p1'), flight('p1', { isRetry: true })];
  flights.add(first);
  flights.add(retry);
  const nothing = { size: 0, waiting: 0, sending: 0, ended: 0, retries: 0, busy: {} };
  expect(counts()).toEqual({ ...nothing, size: 2, waiting: 2, retries: 1, busy: { 'of p1': 2 } });
  flights.begin(first);
  expect(counts()).toEqual({
    ...{ ...nothing, size: 2, waiting: 1, sending: 1, retries: 1, busy: { 'of p1': 2 } },
  });
  flights.end(first);
  expect(counts()).toEqual({ ...nothing, size: 2, waiting: 1, ended: 1, retries: 1, busy: { 'of p1': 1 } });
  expect(flights.takeWaiting(() => true)).toEqual([retry]);
  expect(counts()).toEqual({ ...nothing, size: 1, ended: 1 });
  flights.remove(first);
  expect(counts()).toEqual(nothing);
});

test('nothing is in flight any more when the last one is recorded or taken out', async () => {
  const flights = createFlights(8);
  await flights.landed();
  const [sending, waiting] = [flight('p1'), flight('p1')];
  flights.add(sending);
  flights.add(waiting);
  flights.begin(sending);
  let isLanded = false;
  const landed = flights.landed().then(() => {
    isLanded = true;
  });
  flights.end(sending);
  flights.remove(sending);
  await Promise.resolve();
  expect(isLanded).toBe(false);
  flights.takeWaiting(() => true);
  await landed;
});
