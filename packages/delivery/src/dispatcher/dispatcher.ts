import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimingDispatcher, Outbox } from '@waiver-service/store';
import { type DeliveryPolicy, decideLoss } from '../policy/decide.ts';
import { createCallTimes } from './call-times.ts';
import { createClaimDue } from './claim-due.ts';
import type { DispatcherListener } from './events.ts';
import { createInFlight, type InFlightMessage } from './in-flight.ts';
import { type EndedAttempt, type Senders, sendMessage } from './send-message.ts';
import { createWakeTimer } from './wake-timer.ts';
import { createWithdrawals } from './withdrawals.ts';
import { createAttemptWriter } from './write-attempts.ts';

/*
 * The delivery loop. Three loops run side by side and share what is in flight (see in-flight.ts, which has its states):
 *
 *   claiming   own the shards that are ours → give back → claim → begin sends → sleep until something may be due
 *   recording  sleep until attempts have ended → record them → their lanes are free
 *   the lease  renew it, three times as often as it would run out; abort sends before it does
 *
 * The states of this process as a dispatcher:
 *
 *   unregistered  claims nothing
 *   owner         has a row in the database and a lease; claims, sends and records
 *
 *   unregistered → owner         the claiming loop, under an id that was never used
 *   owner → unregistered         the lease loop, when the row is gone: another process has taken over. Everything in
 *                                flight is lost: sends are aborted, nothing of them is recorded
 *
 * A send never outlives its lease, whether the database answers or not: it is aborted `leaseMarginMs` before the end of
 * the lease, counted from before it was last certainly renewed, by this process's own clock.
 */

/** How a dispatcher is made. */
export interface DispatcherOptions {
  readonly outbox: Outbox;
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  /** Messages that are being sent at once by this process. */
  readonly concurrency: number;
  /** Messages that are being sent at once to one destination. */
  readonly destinationConcurrency: number;
  readonly onEvent: DispatcherListener;
  /** Milliseconds that a stop waits for what is in flight; the outbound time limit and a little. Default 12 s. */
  readonly stopWithinMs?: number;
  /** Milliseconds after which the messages of a process that is gone are taken over. Default 15 s. */
  readonly leaseMs?: number;
  /** Milliseconds before the end of a lease that was not renewed at which a send is aborted. Default 2 s. */
  readonly leaseMarginMs?: number;
}

/** Sends what waits in the outbox. Any number of them, on any number of hosts, may serve one database. */
export interface Dispatcher {
  /** Messages that this process is sending. */
  readonly inFlight: number;
  start(): void;
  /** Claims nothing more, waits for what is in flight, records it and gives the rest back. May be called twice. */
  stop(): Promise<void>;
}

interface Lease extends ClaimingDispatcher {
  epoch: number;
  /** Before it was last certainly renewed, by `performance.now()`. */
  renewedAt: number;
}

// While shards are being given up, what waits at their destinations is sent by nobody.
const drainLookMs = 100;
// Notifications wake it; this is the truth for what they miss.
const pollMs = 1_000;
// Short enough not to be felt, long enough that many ends are followed by one claim.
const debounceMs = 5;
// One statement for many costs far less than many; nobody waits for a record but the lane's next message.
const recordDebounceMs = 10;
// More at once gains nothing.
const maxRecorded = 250;
const recordWithinMs = 5_000;
const maxPauseMs = 5_000;
// Claimed before there is a slot, so that slots need not wait for the database; and the fewer a claim is for, the more
// it costs for each.
const aheadOfEachSlot = 8;
const maxAhead = 512;
// An attempt that is not yet recorded would be made again if this process died now: while the database is slow or away,
// no more than this is risked.
const unrecordedOfEachSlot = 7;
const maxUnrecorded = 448;

/**
 * Makes a dispatcher; it does nothing before `start`. Throws a RangeError where a lease is not twice as long as its
 * margin: what is claimed may wait for half of it, and would be aborted as soon as it began.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { outbox, policy, onEvent, concurrency } = options;
  const { leaseMs = 15_000, leaseMarginMs = 2_000, stopWithinMs = 12_000 } = options;
  if (leaseMs < 2 * leaseMarginMs) {
    throw new RangeError(`a lease of ${leaseMs} ms is too short for a margin of ${leaseMarginMs} ms`);
  }
  const ahead = Math.min(concurrency * aheadOfEachSlot, maxAhead);
  const maxUnsettled = concurrency + Math.min(concurrency * unrecordedOfEachSlot, maxUnrecorded);
  const stopping = new AbortController();
  const work = createWakeTimer();
  const ends = createWakeTimer();
  const inFlight = createInFlight(concurrency);
  const callTimes = createCallTimes();
  const withdrawals = createWithdrawals();
  const claimDue = createClaimDue({
    ...options,
    inFlight,
    callTimes,
    ahead,
    probeIntervalMs: policy.probeIntervalMs,
  });
  const writeAttempts = createAttemptWriter({ outbox, policy, onEvent, isGivenUp: () => isGivenUp });
  let lease: Lease | undefined;
  let settleAt = Number.NEGATIVE_INFINITY;
  let isClaimLost = false;
  let mayBeMoreDue = false;
  let isDrained = false;
  let isGivenUp = false;

  const mustEndAt = () => (lease?.renewedAt ?? Number.NEGATIVE_INFINITY) + leaseMs - leaseMarginMs;
  const isQueueLow = () => inFlight.queued <= ahead / 2;

  async function claiming(): Promise<void> {
    for (let pauseMs = 0; !stopping.signal.aborted; ) {
      let goesOn = false;
      try {
        lease ??= await register();
        await settleOwnership(lease);
        await giveBack(lease);
        goesOn = await claim(lease);
        pauseMs = 0;
      } catch (error) {
        // A claim may have committed all the same.
        isClaimLost = true;
        pauseMs = Math.min(maxPauseMs, Math.max(100, pauseMs * 2));
        onEvent({ type: 'fault', doing: 'claiming', error });
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
      beginSends();
      if (!(goesOn && isQueueLow()) && !stopping.signal.aborted) await work.sleep(pollMs);
    }
  }

  async function register(): Promise<Lease> {
    const renewedAt = performance.now();
    const dispatcher = await outbox.registerDispatcher(leaseMs);
    settleAt = Number.NEGATIVE_INFINITY;
    return { dispatcher, epoch: 0, renewedAt };
  }

  /** Takes over from processes that are gone, takes and gives up shards, and strikes claims that are done with. */
  async function settleOwnership(own: Lease): Promise<void> {
    if (isClaimLost) {
      const epoch = await outbox.voidLostClaims(own.dispatcher, inFlight.batches());
      isClaimLost = false;
      if (epoch === undefined) return lose();
      own.epoch = epoch;
    }
    if (performance.now() < settleAt) return;
    settleAt = performance.now() + leaseMs / 15;
    const taken = await outbox.takeOver(decideLoss(policy));
    if (taken > 0) onEvent({ type: 'reclaimed', lanes: taken });
    if ((await outbox.balanceShards(own.dispatcher, inFlight.shards())) > 0) {
      settleAt = performance.now() + drainLookMs;
      work.wakeWithin(drainLookMs);
    }
    await outbox.strikeBatches(own.dispatcher, inFlight.takeFinishedBatches());
  }

  /** Gives back what is not to be sent by this process. Until that is committed, its lanes stay in use. */
  async function giveBack({ dispatcher }: Lease): Promise<void> {
    const returning = inFlight.all('returning');
    if (returning.length === 0) return;
    try {
      await outbox.giveBack(
        dispatcher,
        returning.map(({ message }) => message),
      );
      for (const entry of returning) inFlight.remove(entry);
    } catch (error) {
      onEvent({ type: 'fault', doing: 'giving back', error });
    }
  }

  /** @returns whether another claim may find more at once */
  async function claim(own: Lease): Promise<boolean> {
    const { claimed, left } = await claimDue(own, () => lease === own);
    mayBeMoreDue = left;
    return left && claimed > 0;
  }

  function beginSends(): void {
    if (stopping.signal.aborted || lease === undefined) return;
    const now = performance.now();
    const isStale = now - lease.renewedAt > leaseMs / 2;
    // Its time to begin is over; the lease may soon be another's; or something of it may no longer leave.
    const isExpired = (entry: InFlightMessage) =>
      isStale || now > entry.beginBy || withdrawals.concerns(entry);
    while (inFlight.sending < concurrency && inFlight.sending + inFlight.ended < maxUnsettled) {
      const next = inFlight.next();
      if (next === undefined) return;
      if (isExpired(next)) {
        inFlight.returnQueued(isExpired);
        work.wakeWithin(debounceMs);
      } else {
        inFlight.begin(next);
        void send(next);
      }
    }
  }

  async function send(entry: InFlightMessage): Promise<void> {
    const attempt = await sendMessage(entry, { ...options, mustEndAt });
    inFlight.end(entry, attempt);
    const { destination } = entry.message;
    callTimes.add(destination, attempt.finished.attempt.durationMs);
    // The others would probably fail too: a failing destination is claimed from more sparingly.
    if (!['accepted', 'nothing-written'].includes(attempt.result.outcome)) {
      inFlight.returnQueued(({ message }) => message.destination === destination);
      work.wakeWithin(debounceMs);
    }
    beginSends();
    if (mayBeMoreDue && isQueueLow()) work.wakeWithin(debounceMs);
    const isMoreToCome = inFlight.sending > 0 && inFlight.ended < maxRecorded;
    ends.wakeWithin(isMoreToCome ? recordDebounceMs : 0);
  }

  async function recording(): Promise<void> {
    while (!isDrained) {
      await ends.sleep(Number.POSITIVE_INFINITY);
      for (let ended = nextEnded(); ended.length > 0 && !isGivenUp; ended = nextEnded()) await record(ended);
    }
  }

  const nextEnded = () => inFlight.all('ended').slice(0, maxRecorded);

  async function record(ended: readonly InFlightMessage[]): Promise<void> {
    if (lease !== undefined) {
      const attempts = ended.flatMap(({ attempt }) => attempt ?? []);
      await writeAttempts(lease.dispatcher, attempts);
      scheduleRetries(attempts);
    }
    for (const entry of ended) inFlight.remove(entry);
    beginSends();
    // Their lanes may have more to send.
    if (isQueueLow()) work.wakeWithin(debounceMs);
  }

  function scheduleRetries(attempts: readonly EndedAttempt[]): void {
    for (const { finished } of attempts) {
      const { decision } = finished;
      // A longer wait ends with the next poll.
      if ('waitMs' in decision && decision.waitMs < pollMs) {
        work.wakeWithin(Math.max(debounceMs, decision.waitMs));
      }
    }
  }

  async function renewLease(): Promise<void> {
    const own = lease;
    if (own === undefined) return;
    try {
      const askedAt = performance.now();
      const isHeld = await outbox.renewLease(own.dispatcher, leaseMs);
      if (lease !== own) return;
      if (isHeld) own.renewedAt = askedAt;
      else lose();
    } catch (error) {
      onEvent({ type: 'fault', doing: 'extending', error });
    }
  }

  function lose(): void {
    const lanes = inFlight.size - inFlight.ended;
    lease = undefined;
    isClaimLost = false;
    inFlight.lose();
    if (lanes > 0) onEvent({ type: 'leases-lost', lanes });
    work.wake();
  }

  const watchEveryMs = leaseMarginMs / 8;

  function abortUnrenewed(): void {
    if (lease === undefined || performance.now() + watchEveryMs < mustEndAt()) return;
    const unrenewed = inFlight.all('sending').filter(({ abort }) => !abort.signal.aborted);
    for (const { abort } of unrenewed) abort.abort();
    if (unrenewed.length > 0) onEvent({ type: 'leases-unrenewed', lanes: unrenewed.length });
  }

  // While others are being sent, what comes in a few milliseconds is claimed together.
  function onWake(): void {
    if (inFlight.sending === 0) work.wake();
    else work.wakeWithin(debounceMs);
  }

  function onShardsChanged(): void {
    settleAt = Number.NEGATIVE_INFINITY;
    work.wake();
  }

  let stop: (() => Promise<void>) | undefined;

  function start(): void {
    if (stop !== undefined || stopping.signal.aborted) return;
    const listening = outbox.listen({ onWake, onWithdrawn: withdrawals.add, onShardsChanged });
    const renewing = repeat(renewLease, leaseMs / 3);
    const watching = setInterval(abortUnrenewed, watchEveryMs);
    const claims = claiming();
    const records = recording();
    stop = async () => {
      work.wake();
      await claims;
      await listening.close();
      await drain();
      isDrained = true;
      ends.wake();
      await records;
      clearInterval(watching);
      // A renewal that the database does not answer ends with its connection.
      await within(renewing.stop(), recordWithinMs);
      await release();
      work.clear();
      ends.clear();
    };
  }

  async function drain(): Promise<void> {
    inFlight.returnQueued(() => true);
    if (lease !== undefined) await giveBack(lease);
    // Messages that could not be given back are put in doubt when the lease expires.
    for (const entry of inFlight.all('returning')) inFlight.remove(entry);
    if (await within(inFlight.drained(), stopWithinMs)) return;
    for (const { abort } of inFlight.all('sending')) abort.abort();
    if (await within(inFlight.drained(), recordWithinMs)) return;
    isGivenUp = true;
    await within(inFlight.drained(), recordWithinMs);
  }

  /** Ends the lease, so that other hosts need not wait for it. Anything that is not recorded is in doubt. */
  async function release(): Promise<void> {
    if (lease === undefined) return;
    try {
      await outbox.expireLease(lease.dispatcher);
      await outbox.takeOver(decideLoss(policy));
    } catch (error) {
      onEvent({ type: 'fault', doing: 'giving back', error });
    }
  }

  let stopped: Promise<void> | undefined;
  return {
    get inFlight() {
      return inFlight.sending;
    },
    start,
    stop() {
      stopping.abort();
      stopped ??= stop?.() ?? Promise.resolve();
      return stopped;
    },
  };
}

/** Calls a function every so many milliseconds, never twice at once. `task` must not reject. */
function repeat(task: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= task().finally(() => {
      running = undefined;
    });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
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
