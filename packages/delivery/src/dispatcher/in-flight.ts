import type { ClaimedDelivery, FinishedDelivery } from '@waiver-service/outbox';
import { maxSlowSlots } from '../policy/claim-plan.ts';
import type { HealthSign } from '../policy/decide.ts';

/** An attempt that has ended. */
export interface EndedAttempt extends HealthSign {
  /** Whether the destination was failing, so that a success changes its health. */
  readonly wasFailing: boolean;
  readonly finished: FinishedDelivery;
}

/*
 * The states of a message that this process has claimed:
 *
 *   queued     waits for a slot
 *   sending    holds a slot while it is being sent
 *   ended      was sent; its attempt is not yet recorded
 *   returning  goes back to the outbox unsent
 *
 *   claim → queued → sending → ended → gone, once its attempt is recorded
 *             └→ returning → gone, once the give-back is committed
 *
 * Only the delivery loop makes these transitions, except for `sending → ended`, which the send makes when it ends. When
 * another dispatcher has taken over, messages that are not being sent are removed at once, and the others when their
 * sends end; their attempts are not recorded.
 *
 * A message's lane is busy from the claim until the message is gone, which keeps the lane's messages in order and one
 * at a time. Freeing it before the database has committed would let a newer message pass.
 */

/** A message that this process has claimed, until it is recorded or given back. */
export interface InFlightMessage {
  readonly message: ClaimedDelivery;
  /** Whether it holds a slot that retries may use. */
  readonly isRetry: boolean;
  /** Whether its call may be slow, judged when it was claimed. */
  readonly isSlow: boolean;
  /** Shared by the messages of a claim. */
  readonly abort: AbortController;
  /** A time before the claim, by `performance.now()`. */
  readonly claimedAt: number;
  /** The latest time to begin, by `performance.now()`: its request was counted when it was claimed. */
  readonly beginBy: number;
  state: 'queued' | 'sending' | 'ended' | 'returning';
  /** Its position among everything in flight; -1 once it is gone. */
  place: number;
  /** Whether another dispatcher has taken it over. */
  isLost: boolean;
  attempt?: EndedAttempt;
}

/** Everything that this process has claimed. */
export interface InFlight {
  readonly size: number;
  readonly queued: number;
  readonly sending: number;
  /** The number of messages being sent whose calls are expected to end soon. */
  readonly sendingQuick: number;
  readonly ended: number;
  /** The number of messages, queued or being sent, in slots that retries may use. */
  readonly retries: number;
  /** The number of messages, queued or being sent, by destination. */
  readonly busy: ReadonlyMap<string, number>;
  /** How many more slow messages may be claimed for a pool. */
  slowRoomOf(pool: string): number;
  /** The lanes in use, by destination. */
  busyLanes(): Map<string, number[]>;
  /** The shards with something in flight. */
  shards(): number[];
  /** The claims with something in flight. */
  batches(): number[];
  /** The claims that have ended since the last call. */
  takeFinishedBatches(): number[];
  add(entry: InFlightMessage): void;
  /** The next queued message that may take a slot. */
  next(): InFlightMessage | undefined;
  /** `queued → sending`, for the message that {@link next} returned. */
  begin(next: InFlightMessage): void;
  /** `sending → ended`: its slot is free. */
  end(entry: InFlightMessage, attempt: EndedAttempt): void;
  /** `queued → returning`, for all matching messages. */
  returnQueued(matches: (entry: InFlightMessage) => boolean): void;
  all(state: InFlightMessage['state']): InFlightMessage[];
  /** After it was recorded or given back. */
  remove(entry: InFlightMessage): void;
  /** After another dispatcher has taken over. */
  lose(): void;
  /** Resolves when nothing is in flight. */
  drained(): Promise<void>;
}

function count<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): number {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
  return now;
}

export function createInFlight(concurrency: number): InFlight {
  // Not a Set: the internal tables that a growing Set discards keep deleted elements alive until a major garbage
  // collection.
  const entries: InFlightMessage[] = [];
  const busy = new Map<string, number>();
  const batchSizes = new Map<number, number>();
  const finishedBatches: number[] = [];
  // By pool: messages being sent, the slow ones of them, and the slow ones queued or being sent.
  const sendingOf = new Map<string, number>();
  const slowSendingOf = new Map<string, number>();
  const slowOf = new Map<string, number>();
  const waiters = new Set<() => void>();
  let sending = 0;
  let sendingQuick = 0;
  let ended = 0;
  let retries = 0;

  const maxSlowOf = (pool: string) =>
    maxSlowSlots({ concurrency, ofOthers: sending - (sendingOf.get(pool) ?? 0) });
  const queue = createFairQueue({
    sendingOf: (pool) => sendingOf.get(pool) ?? 0,
    maySendSlow: (pool) => (slowSendingOf.get(pool) ?? 0) < maxSlowOf(pool),
  });

  function countSlot({ message: { destination, pool }, isRetry, isSlow }: InFlightMessage, by: 1 | -1): void {
    count(busy, destination, by);
    if (isSlow) count(slowOf, pool, by);
    if (isRetry) retries += by;
  }
  function countSending({ message: { pool }, isSlow }: InFlightMessage, by: 1 | -1): void {
    sending += by;
    count(sendingOf, pool, by);
    if (isSlow) count(slowSendingOf, pool, by);
    else sendingQuick += by;
  }
  function remove(entry: InFlightMessage): void {
    if (entry.place === -1) return;
    const last = entries.pop();
    if (last !== undefined && last !== entry) {
      entries[entry.place] = last;
      last.place = entry.place;
    }
    entry.place = -1;
    if (entry.state === 'ended') ended -= 1;
    const { batch } = entry.message;
    if (!entry.isLost && count(batchSizes, batch, -1) === 0) finishedBatches.push(batch);
    if (entries.length > 0) return;
    for (const resolve of waiters) resolve();
    waiters.clear();
  }
  const all = (state: InFlightMessage['state']) => entries.filter((entry) => entry.state === state);
  function returnQueued(matches: (entry: InFlightMessage) => boolean): void {
    for (const entry of queue.take(matches)) {
      entry.state = 'returning';
      countSlot(entry, -1);
    }
  }

  return {
    get size() {
      return entries.length;
    },
    get queued() {
      return queue.size;
    },
    get sending() {
      return sending;
    },
    get sendingQuick() {
      return sendingQuick;
    },
    get ended() {
      return ended;
    },
    get retries() {
      return retries;
    },
    busy,
    slowRoomOf: (pool) => maxSlowOf(pool) - (slowOf.get(pool) ?? 0),
    busyLanes() {
      const lanes = new Map<string, number[]>();
      for (const { message } of entries) {
        const own = lanes.get(message.destination);
        if (own === undefined) lanes.set(message.destination, [message.lane]);
        else own.push(message.lane);
      }
      return lanes;
    },
    shards: () => [...new Set(entries.map(({ message }) => message.shard))],
    batches: () => [...batchSizes.keys()],
    takeFinishedBatches: () => finishedBatches.splice(0),
    add(entry) {
      entry.place = entries.push(entry) - 1;
      count(batchSizes, entry.message.batch, 1);
      countSlot(entry, 1);
      queue.add(entry);
    },
    next: () => queue.next(),
    begin(next) {
      queue.shift(next);
      next.state = 'sending';
      countSending(next, 1);
    },
    end(entry, attempt) {
      countSending(entry, -1);
      countSlot(entry, -1);
      entry.state = 'ended';
      entry.attempt = attempt;
      ended += 1;
      if (entry.isLost) remove(entry);
    },
    returnQueued,
    all,
    remove,
    lose() {
      returnQueued(() => true);
      for (const entry of [...entries]) {
        entry.isLost = true;
        entry.abort.abort();
        if (entry.state !== 'sending') remove(entry);
      }
      batchSizes.clear();
      finishedBatches.length = 0;
    },
    drained: () =>
      entries.length === 0 ? Promise.resolve() : new Promise((resolve) => waiters.add(resolve)),
  };
}

/** Messages that wait for a slot, pool by pool. */
interface FairQueue {
  readonly size: number;
  /** Adds a message to its pool's queue: at the end, or at the beginning if it must begin soon. */
  add(entry: InFlightMessage): void;
  /**
   * The message to send next: one that must begin soon, otherwise one of the pool that is sending the least. Within a
   * pool, in the order of the claims.
   */
  next(): InFlightMessage | undefined;
  /** Removes the message that {@link next} returned. */
  shift(next: InFlightMessage): void;
  /** Removes all matching messages. */
  take(matches: (entry: InFlightMessage) => boolean): InFlightMessage[];
}

/** The load of each pool. */
interface PoolLoad {
  /** The number of messages of a pool that are being sent. */
  sendingOf(pool: string): number;
  /** Whether a pool may start another slow call. */
  maySendSlow(pool: string): boolean;
}

interface PoolQueue {
  /** Calls that are expected to end soon, and slow ones. */
  quick: InFlightMessage[];
  slow: InFlightMessage[];
}

const isUrgent = ({ beginBy }: InFlightMessage) => beginBy !== Number.POSITIVE_INFINITY;

/** Creates a queue in which no pool waits behind another one's messages. */
function createFairQueue({ sendingOf, maySendSlow }: PoolLoad): FairQueue {
  // In order of arrival, so that of two pools sending equally much, the one waiting longer is next.
  const pools = new Map<string, PoolQueue>();
  let size = 0;
  let urgent = 0;

  const queueOf = ({ isSlow }: InFlightMessage, { quick, slow }: PoolQueue) => (isSlow ? slow : quick);
  function countTaken(entry: InFlightMessage): void {
    size -= 1;
    if (isUrgent(entry)) urgent -= 1;
  }
  function firstOf(pool: string, { quick, slow }: PoolQueue): InFlightMessage | undefined {
    const [first] = quick;
    const [firstSlow] = slow;
    if (firstSlow === undefined || !maySendSlow(pool)) return first;
    if (first === undefined || isUrgent(firstSlow)) return firstSlow;
    return isUrgent(first) || first.claimedAt <= firstSlow.claimedAt ? first : firstSlow;
  }
  return {
    get size() {
      return size;
    },
    add(entry) {
      const { pool } = entry.message;
      const own = pools.get(pool) ?? { quick: [], slow: [] };
      pools.set(pool, own);
      size += 1;
      if (isUrgent(entry)) {
        urgent += 1;
        queueOf(entry, own).unshift(entry);
      } else queueOf(entry, own).push(entry);
    },
    next() {
      let chosen: InFlightMessage | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const [pool, own] of pools) {
        const first = firstOf(pool, own);
        if (first === undefined) continue;
        if (isUrgent(first)) return first;
        const sending = sendingOf(pool);
        if (sending >= least) continue;
        chosen = first;
        least = sending;
        if (sending === 0 && urgent === 0) return chosen;
      }
      return chosen;
    },
    shift(next) {
      const { pool } = next.message;
      const own = pools.get(pool);
      if (own === undefined) return;
      queueOf(next, own).shift();
      countTaken(next);
      // Moves the pool behind the others.
      pools.delete(pool);
      if (own.quick.length + own.slow.length > 0) pools.set(pool, own);
    },
    take(matches) {
      const taken: InFlightMessage[] = [];
      for (const [pool, own] of pools) {
        const matching = [...own.quick, ...own.slow].filter(matches);
        if (matching.length === 0) continue;
        taken.push(...matching);
        own.quick = own.quick.filter((entry) => !matches(entry));
        own.slow = own.slow.filter((entry) => !matches(entry));
        if (own.quick.length + own.slow.length === 0) pools.delete(pool);
      }
      for (const entry of taken) countTaken(entry);
      return taken;
    },
  };
}
