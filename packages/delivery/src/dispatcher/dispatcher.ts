import { setTimeout as delay } from 'node:timers/promises';
import type { Outbox } from '@waiver-service/store';
import type { DeliveryPolicy } from '../policy/decide.ts';
import { createAlarm } from './alarm.ts';
import { createCallTimes } from './call-times.ts';
import { createClaimer } from './claimer.ts';
import type { DispatcherListener } from './events.ts';
import { createFlights, type Flight } from './flights.ts';
import { keepLeases } from './lease-keeper.ts';
import { createRecorder } from './recorder.ts';
import { createRunway } from './runway.ts';
import type { Senders } from './send-one.ts';
import { createWithdrawn } from './withdrawn.ts';

/** What a dispatcher is made with. */
export interface DispatcherOptions {
  readonly outbox: Outbox;
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  /** Messages that are being sent at once by this process. */
  readonly concurrency: number;
  /** Messages that are being sent at once to one destination, by this process. */
  readonly destinationConcurrency: number;
  readonly onEvent: DispatcherListener;
  /** Milliseconds that a stop waits for what is in flight; the outbound time limit and a little. Default 12 s. */
  readonly stopWithinMs?: number;
  /** Milliseconds after which the lanes of a process that is gone are taken over. Default 15 s. */
  readonly leaseMs?: number;
  /** Milliseconds before the end of a lease that was not prolonged at which a send is given up. Default 2 s. */
  readonly leaseMarginMs?: number;
}

/** Sends what waits in the outbox. Any number of them, on any number of hosts, may serve one database. */
export interface Dispatcher {
  /** Messages that this process is sending. */
  readonly inFlight: number;
  start(): void;
  /** Claims nothing more, waits for what is in flight, records it and gives every lane back. May be called twice. */
  stop(): Promise<void>;
}

// Notifications wake it; this is the truth for what they miss.
const pollMs = 1_000;
// Short enough not to be felt, long enough that many ends are followed by one claim.
const gatherMs = 5;
const recordWithinMs = 5_000;
const longestPauseMs = 5_000;
// Claimed before there is a slot, so that slots need not wait for the database; and the fewer a claim is for, the more
// it costs for each.
const aheadOfEachSlot = 8;
const mostAhead = 512;

/**
 * Makes a dispatcher; it does nothing before `start`. Throws a RangeError where a lease is not twice as long as its
 * margin: what is claimed may wait for half of it, and would be given up as soon as it began.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { outbox, policy, onEvent, concurrency } = options;
  const { leaseMs = 15_000, leaseMarginMs = 2_000, stopWithinMs = 12_000 } = options;
  if (leaseMs < 2 * leaseMarginMs) {
    throw new RangeError(`a lease of ${leaseMs} ms is too short for a margin of ${leaseMarginMs} ms`);
  }
  const alarm = createAlarm();
  const flights = createFlights(concurrency);
  const callTimes = createCallTimes();
  const withdrawn = createWithdrawn();
  const recorder = createRecorder({ outbox, policy, onEvent, isMoreToCome: () => flights.sending > 0 });
  const stopping = new AbortController();
  const ahead = Math.min(concurrency * aheadOfEachSlot, mostAhead);
  const isLow = () => flights.waiting <= ahead / 2;
  // More is due than was claimed.
  let isHungry = false;

  const runway = createRunway({
    ...options,
    flights,
    callTimes,
    withdrawn,
    leaseMs,
    leaseMarginMs,
    recorder,
    onSlotFree: () => {
      if (isHungry && isLow()) alarm.ringWithin(gatherMs);
    },
    onDue: (waitMs) => {
      // A longer wait ends with the next poll.
      if (waitMs < pollMs) alarm.ringWithin(Math.max(gatherMs, waitMs));
    },
  });
  const claim = createClaimer({
    ...options,
    flights,
    callTimes,
    ahead,
    leaseMs,
    probeIntervalMs: policy.probeIntervalMs,
    take(message, { isRetry, askedAt, beginBy }) {
      const flight: Flight = {
        ...{ message, isRetry, isSlow: callTimes.isSlow(message.destination), beginBy },
        ...{ claimedAt: askedAt, leasedAt: askedAt },
        ...{ abort: new AbortController(), stage: 'waiting' },
      };
      flights.add(flight);
    },
  });

  // While others are being sent, what comes in a few milliseconds is claimed together.
  function onWake(): void {
    if (flights.sending === 0) alarm.ring();
    else alarm.ringWithin(gatherMs);
  }

  async function run(): Promise<void> {
    let pause = 0;
    while (!stopping.signal.aborted) {
      let goesOn = false;
      try {
        const { claimed, left } = await claim();
        isHungry = left;
        goesOn = left && claimed > 0;
        pause = 0;
      } catch (error) {
        pause = Math.min(longestPauseMs, Math.max(100, pause * 2));
        onEvent({ type: 'fault', doing: 'claiming', error });
        await delay(pause, undefined, { signal: stopping.signal }).catch(() => {});
      }
      runway.launch();
      if (!(goesOn && isLow()) && !stopping.signal.aborted) await alarm.sleep(pollMs);
    }
  }

  let running: { readonly stop: () => Promise<void> } | undefined;

  function start(): void {
    if (running !== undefined || stopping.signal.aborted) return;
    const listening = outbox.listen({ onWake, onWithdrawn: withdrawn.add });
    const leases = keepLeases({
      outbox,
      flights,
      leaseMs,
      leaseMarginMs,
      retrySchedule: policy.retrySchedule,
      onEvent,
      onReclaimed: () => alarm.ring(),
    });
    const loop = run();
    running = {
      async stop() {
        stopping.abort();
        alarm.ring();
        await loop;
        await listening.close();
        await runway.close();
        await land();
        await leases.stop();
        alarm.clear();
      },
    };
  }

  async function land(): Promise<void> {
    if (await within(flights.landed(), stopWithinMs)) return;
    for (const { abort } of flights.all()) abort.abort();
    if (await within(flights.landed(), recordWithinMs)) return;
    recorder.giveUp();
    await within(flights.landed(), recordWithinMs);
  }

  let stopped: Promise<void> | undefined;
  return {
    get inFlight() {
      return flights.sending;
    },
    start,
    stop() {
      stopping.abort();
      stopped ??= running?.stop() ?? Promise.resolve();
      return stopped;
    },
  };
}

/** Whether something is done within so many milliseconds. */
async function within(done: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
