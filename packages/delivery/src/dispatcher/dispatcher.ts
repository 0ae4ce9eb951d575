import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimingDispatcher, Outbox } from '@waiver-service/outbox';
import { createCallTimes } from '../policy/claim-plan.ts';
import { type DeliveryPolicy, decideLoss } from '../policy/decide.ts';
import { createClaimDue } from './claim-due.ts';
import { createInFlight, type EndedAttempt, type InFlightMessage } from './in-flight.ts';
import { type DispatcherListener, type Senders, sendMessage } from './send-message.ts';
import { createWakeTimer } from './wake-timer.ts';
import { createWithdrawals } from './withdrawals.ts';
import { createAttemptWriter } from './write-attempts.ts';

/*
 * The delivery loop. Three loops run side by side and share the messages in flight (for their states, see
 * in-flight.ts):
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
 * A send never outlives its lease, whether the database responds or not: it is aborted `leaseMarginMs` before the end
 * of the lease, counted from the start of the last confirmed renewal, by this process's own clock.
 */

/** The options of a dispatcher. */
export interface DispatcherOptions {
  readonly outbox: Outbox;
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  /** The maximum number of messages being sent by this process. */
  readonly concurrency: number;
  /** The maximum number of messages being sent to one destination. */
  readonly destinationConcurrency: number;
  readonly onEvent: DispatcherListener;
  /**
   * How many milliseconds `stop` waits for messages in flight: the outbound timeout and a little more. 12 s by default.
   */
  readonly stopWithinMs?: number;
  /** How many milliseconds after its last renewal a lost process's messages are taken over. 15 s by default. */
  readonly leaseMs?: number;
  /** How many milliseconds before the end of an unrenewed lease sends are aborted. 2 s by default. */
  readonly leaseMarginMs?: number;
}

/** Sends the messages in the outbox. Any number of dispatchers, on any number of hosts, can share one database. */
export interface Dispatcher {
  /** The number of messages that this process is sending. */
  readonly inFlight: number;
  start(): void;
  /** Stops claiming, waits for messages in flight, records them and gives the rest back. Idempotent. */
  stop(): Promise<void>;
}

interface Lease extends ClaimingDispatcher {
  epoch: number;
  /** A time before the last confirmed renewal, by `performance.now()`. */
  renewedAt: number;
}

// While shards are being given up, no dispatcher sends to their destinations.
const drainPollMs = 100;
// Notifications wake the dispatcher; polling finds what they miss.
const pollMs = 1_000;
// Short enough to go unnoticed, long enough for one claim to follow many ended sends.
const debounceMs = 5;
// One statement for many attempts costs far less than many statements; only the lane's next message waits for the
// record.
const recordDebounceMs = 25;
// More at once gains nothing.
const maxRecorded = 250;
const recordWithinMs = 5_000;
const maxPauseMs = 5_000;
// Claiming ahead keeps slots from waiting for the database, and small claims cost more per message.
const aheadOfEachSlot = 8;
const maxAhead = 512;
// Limits how many unrecorded attempts would be repeated if this process died while the database is slow or unavailable.
const unrecordedOfEachSlot = 7;
const maxUnrecorded = 448;

/**
 * Creates a dispatcher, which does nothing before `start`. Throws a RangeError if the lease is not at least twice its
 * margin: a claimed message may wait for half the lease, and would then be aborted as soon as it began.
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
  let claimedAt = Number.NEGATIVE_INFINITY;
  let fullPools: ReadonlySet<string> = new Set();
  let isDrained = false;
  let isGivenUp = false;

  const mustEndAt = () => (lease?.renewedAt ?? Number.NEGATIVE_INFINITY) + leaseMs - leaseMarginMs;
  const isQueueLow = () => inFlight.queued <= ahead / 2;

  async function claiming(): Promise<void> {
    for (let pauseMs = 0; !stopping.signal.aborted; ) {
      let goesOn = false;
      try {
        lease ??= await register();
        const own = lease;
        await settleOwnership(own);
        // Another process may have taken over meanwhile.
        if (lease === own) await returnClaims(own);
        goesOn = lease === own && (await claim(own));
        pauseMs = 0;
      } catch (error) {
        // The claim may have been committed nevertheless.
        isClaimLost = true;
        pauseMs = Math.min(maxPauseMs, Math.max(100, pauseMs * 2));
        onEvent({ type: 'fault', doing: 'claiming messages', error });
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

  /** Takes over from lost processes, takes and gives up shards, and deletes finished claims from the journal. */
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
    if (taken > 0) onEvent({ type: 'reclaimed', messages: taken });
    if ((await outbox.balanceShards(own.dispatcher, inFlight.shards())) > 0) {
      settleAt = performance.now() + drainPollMs;
      work.wakeWithin(drainPollMs);
    }
    await outbox.deleteBatches(own.dispatcher, inFlight.takeFinishedBatches());
  }

  /** Gives back messages that this process must not send. Their lanes stay in use until that is committed. */
  async function returnClaims({ dispatcher }: Lease): Promise<void> {
    const returning = inFlight.all('returning');
    if (returning.length === 0) return;
    try {
      await outbox.returnClaims(
        dispatcher,
        returning.map(({ message }) => message),
      );
      for (const entry of returning) inFlight.remove(entry);
    } catch (error) {
      onEvent({ type: 'fault', doing: 'returning messages', error });
    }
  }

  /** @returns whether another claim may find more at once */
  async function claim(own: Lease): Promise<boolean> {
    claimedAt = performance.now();
    const round = await claimDue(own, () => lease === own);
    mayBeMoreDue = round.left;
    fullPools = round.fullPools;
    return round.mayClaimMore;
  }

  function beginSends(): void {
    if (stopping.signal.aborted || lease === undefined) return;
    const now = performance.now();
    const isStale = now - lease.renewedAt > leaseMs / 2;
    // Too late to begin, or the lease may soon be lost, or part of the message was withdrawn.
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
    const { destination, pool } = entry.message;
    callTimes.add(destination, attempt.finished.attempt.durationMs);
    // The destination's other messages would probably fail too; claims for a failing destination are smaller.
    if (!['accepted', 'nothing-written'].includes(attempt.result.outcome)) {
      inFlight.returnQueued(({ message }) => message.destination === destination);
      work.wakeWithin(debounceMs);
    }
    beginSends();
    if ((mayBeMoreDue || fullPools.has(pool)) && isQueueLow()) work.wakeWithin(debounceMs);
    recordSoon();
  }

  function recordSoon(): void {
    // Does not wait for slow calls, which may take until their timeout.
    const isMoreToCome = inFlight.sendingQuick > 0 && inFlight.ended < maxRecorded;
    ends.wakeWithin(isMoreToCome ? recordDebounceMs : 0);
  }

  async function recording(): Promise<void> {
    while (!isDrained) {
      await ends.sleep(Number.POSITIVE_INFINITY);
      const ended = inFlight.all('ended').slice(0, maxRecorded);
      if (ended.length === 0 || isGivenUp) continue;
      await record(ended);
      // Those that ended meanwhile are batched, too.
      if (inFlight.ended > 0) recordSoon();
    }
  }

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
      // The next poll ends a longer wait.
      if ('waitMs' in decision && decision.waitMs < pollMs) {
        work.wakeWithin(Math.max(debounceMs, decision.waitMs));
      }
    }
  }

  async function renewLease(): Promise<void> {
    const own = lease;
    if (own === undefined) return;
    try {
      const requestedAt = performance.now();
      const isHeld = await outbox.renewLease(own.dispatcher, leaseMs);
      if (lease !== own) return;
      if (isHeld) own.renewedAt = requestedAt;
      else lose();
    } catch (error) {
      onEvent({ type: 'fault', doing: 'renewing its lease', error });
    }
  }

  function lose(): void {
    const messages = inFlight.size - inFlight.ended;
    lease = undefined;
    isClaimLost = false;
    inFlight.lose();
    if (messages > 0) onEvent({ type: 'leases-lost', messages });
    work.wake();
  }

  const watchEveryMs = leaseMarginMs / 8;

  function abortUnrenewed(): void {
    if (lease === undefined || performance.now() + watchEveryMs < mustEndAt()) return;
    const unrenewed = inFlight.all('sending').filter(({ abort }) => !abort.signal.aborted);
    for (const { abort } of unrenewed) abort.abort();
    if (unrenewed.length > 0) onEvent({ type: 'leases-unrenewed', messages: unrenewed.length });
  }

  // While quick sends are in flight, messages that arrive within a few milliseconds of the last claim are claimed
  // together. Not while only slow destinations have slots: a dead one always does.
  function onWake(): void {
    const waitMs = inFlight.sendingQuick === 0 ? 0 : claimedAt + debounceMs - performance.now();
    if (waitMs <= 0) work.wake();
    else work.wakeWithin(waitMs);
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
      // A renewal without a response ends with its connection.
      await within(renewing.stop(), recordWithinMs);
      await release();
      work.clear();
      ends.clear();
    };
  }

  async function drain(): Promise<void> {
    inFlight.returnQueued(() => true);
    if (lease !== undefined) await returnClaims(lease);
    // Messages that could not be given back are in doubt when the lease expires.
    for (const entry of inFlight.all('returning')) inFlight.remove(entry);
    if (await within(inFlight.drained(), stopWithinMs)) return;
    for (const { abort } of inFlight.all('sending')) abort.abort();
    if (await within(inFlight.drained(), recordWithinMs)) return;
    isGivenUp = true;
    await within(inFlight.drained(), recordWithinMs);
  }

  /** Ends the lease, so that other hosts need not wait for it. Messages with unrecorded attempts are then in doubt. */
  async function release(): Promise<void> {
    if (lease === undefined) return;
    try {
      await outbox.expireLease(lease.dispatcher);
      await outbox.takeOver(decideLoss(policy));
    } catch (error) {
      onEvent({ type: 'fault', doing: 'returning messages', error });
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

/** Calls a function periodically, never twice at once. `task` must not reject. */
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

/** Whether work ends within `ms` milliseconds. */
async function within(done: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([done.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
