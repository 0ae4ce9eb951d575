import type { LaneLease } from '@waiver-service/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DispatcherEvent } from '../../src/dispatcher/events.ts';
import { createFlights } from '../../src/dispatcher/flights.ts';
import { keepLeases, mustEndAt } from '../../src/dispatcher/lease-keeper.ts';
import { flightOf } from '../setup/flight.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });
const lease = { leaseMs: 900, leaseMarginMs: 160 };

/** Keeps the leases of three messages: one waits, one is being sent, one has ended and is to be recorded. */
function keep(extendLeases: (leases: readonly LaneLease[]) => Promise<LaneLease[]>) {
  const flights = createFlights(8);
  const [waiting, sending, ended] = [flightOf({ id: 'd1' }), flightOf({ id: 'd2' }), flightOf({ id: 'd3' })];
  for (const flight of [ended, sending, waiting]) flights.add(flight);
  flights.begin(ended);
  flights.begin(sending);
  flights.end(ended);
  const events: DispatcherEvent[] = [];
  const keeping = keepLeases({
    outbox: {
      // A store gives back the very leases that it was given.
      extendLeases: async <Lease extends LaneLease>(leases: readonly Lease[]) => {
        const lost = new Set<LaneLease>(await extendLeases(leases));
        return leases.filter((each) => lost.has(each));
      },
      reclaim: async () => 0,
    },
    flights,
    ...lease,
    retrySchedule: [0],
    onEvent: (event) => events.push(event),
    onReclaimed: () => {},
  });
  onTestFinished(() => keeping.stop());
  return { flights, waiting, sending, ended, events };
}

test('what has lost its lease leaves the line and is sent no further; what has ended is left to its record', async () => {
  const { flights, waiting, sending, ended, events } = keep(async (leases) => [...leases]);
  await until(() => expect(events).toContainEqual({ type: 'leases-lost', lanes: 2 }));
  expect(flights.next()).toBeUndefined();
  expect(flights.all()).not.toContain(waiting);
  expect(sending.abort.signal.aborted).toBe(true);
  expect(ended.abort.signal.aborted).toBe(false);
  expect(flights.all()).toContain(ended);
});

test('a lease that is prolonged holds from before it was asked for', async () => {
  let askedAt = Number.NaN;
  const { sending, waiting, events } = keep(async () => {
    askedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    return [];
  });
  const before = sending.leasedAt;
  await until(() => expect(sending.leasedAt).toBeGreaterThan(before));
  expect(sending.leasedAt).toBeLessThanOrEqual(askedAt);
  expect(waiting.leasedAt).toBe(sending.leasedAt);
  expect(sending.abort.signal.aborted).toBe(false);
  expect(events).toEqual([]);
});

test.each([
  ['fails', () => Promise.reject(new Error('connection lost'))],
  ['does not answer', () => new Promise<never>(() => {})],
])(
  'a database that %s prolongs nothing: what is being sent is given up before its lease ends',
  async (how, extend) => {
    const flights = createFlights(8);
    const sending = flightOf();
    flights.add(sending);
    flights.begin(sending);
    let abortedAt = Number.NaN;
    sending.abort.signal.addEventListener('abort', () => {
      abortedAt = performance.now();
    });
    const events: DispatcherEvent[] = [];
    keepLeases({
      outbox: { extendLeases: extend, reclaim: async () => 0 },
      flights,
      ...lease,
      retrySchedule: [0],
      onEvent: (event) => events.push(event),
      onReclaimed: () => {},
    });
    await until(() => expect(events).toContainEqual({ type: 'leases-unrenewed', lanes: 1 }));
    expect(sending.abort.signal.aborted).toBe(true);
    expect(abortedAt - sending.leasedAt).toBeGreaterThan(lease.leaseMs / 2);
    expect(events.some((event) => event.type === 'fault')).toBe(how === 'fails');
  },
);

test('a send has to end a margin before its lease, counted from when that was asked for', () => {
  expect(mustEndAt({ leasedAt: 1_000 }, { leaseMs: 15_000, leaseMarginMs: 2_000 })).toBe(14_000);
});

test('lanes of hosts that are gone are looked for again and again, and sent from as soon as there are some', async () => {
  const found = [0, 0, 2, 0];
  let looked = 0;
  let woken = 0;
  const events: DispatcherEvent[] = [];
  const keeping = keepLeases({
    outbox: {
      extendLeases: async () => [],
      reclaim: async () => {
        looked += 1;
        return found.shift() ?? 0;
      },
    },
    flights: createFlights(8),
    ...lease,
    retrySchedule: [0],
    onEvent: (event) => events.push(event),
    onReclaimed: () => {
      woken += 1;
    },
  });
  onTestFinished(() => keeping.stop());
  // The first at once; the others every fifteenth part of a lease.
  await until(() => expect(looked).toBeGreaterThanOrEqual(5));
  expect(events).toEqual([{ type: 'reclaimed', lanes: 2 }]);
  expect(woken).toBe(1);
});
