import type { ClaimedDelivery } from '@waiver-service/store';
import { maxSlowSlots } from '../policy/pool-shares.ts';
import { createFairQueue } from './fair-queue.ts';
import type { EndedAttempt } from './send-message.ts';

/*
 * The states of a message that this process has claimed:
 *
 *   queued     waits for a slot
 *   sending    holds a slot while it is being sent
 *   ended      was sent; its attempt is to be recorded
 *   returning  is to be given back without having been sent
 *
 *   claim → queued → sending → ended → gone, once its attempt is recorded
 *             └→ returning → gone, once the give-back is committed
 *
 * Only the delivery loop makes these transitions, but for `sending → ended`, which the end of the send makes. When
 * another dispatcher has taken over, what is not being sent is gone at once, and what is being sent when it has ended:
 * its attempt is not recorded.
 *
 * The lane of a message is busy from its claim until it is gone: that is what keeps a lane's messages one at a time and
 * in order. To free it before the database has committed would let a newer one pass.
 */

/** A message that this process has claimed, until it is recorded or given back. */
export interface InFlightMessage {
  readonly message: ClaimedDelivery;
  /** Whether it holds one of the slots that retries may have. */
  readonly isRetry: boolean;
  /** Whether its call may hold a slot for long, as far as was known when it was claimed. */
  readonly isSlow: boolean;
  readonly abort: AbortController;
  /** Before the claim, by `performance.now()`. */
  readonly claimedAt: number;
  /** When it must have begun, by `performance.now()`: its request was counted when it was claimed. */
  readonly beginBy: number;
  state: 'queued' | 'sending' | 'ended' | 'returning';
  /** Where it stands among all that is in flight; -1 once it is gone. */
  place: number;
  /** Another dispatcher has taken over what it is part of. */
  isLost: boolean;
  attempt?: EndedAttempt;
}

/** Everything that this process has claimed. */
export interface InFlight {
  readonly size: number;
  readonly queued: number;
  readonly sending: number;
  readonly ended: number;
  /** Queued messages and those being sent in slots that retries may have. */
  readonly retries: number;
  /** Queued messages and those being sent, by destination. */
  readonly busy: ReadonlyMap<string, number>;
  /** How many more messages may be claimed for a pool whose calls may hold their slots for long. */
  slowRoomOf(pool: string): number;
  /** The lanes in use, by destination. */
  busyLanes(): Map<string, number[]>;
  /** The shards with something in flight. */
  shards(): number[];
  /** The claims of which something is in flight. */
  batches(): number[];
  /** Claims of which nothing is left, since the last call. */
  takeFinishedBatches(): number[];
  add(entry: InFlightMessage): void;
  /** The next queued one that may have a slot. */
  next(): InFlightMessage | undefined;
  /** `queued → sending`, of the one that {@link next} returned. */
  begin(next: InFlightMessage): void;
  /** `sending → ended`: its slot is free. */
  end(entry: InFlightMessage, attempt: EndedAttempt): void;
  /** `queued → returning`, of all that match. */
  returnQueued(matches: (entry: InFlightMessage) => boolean): void;
  all(state: InFlightMessage['state']): InFlightMessage[];
  /** It was recorded or given back. */
  remove(entry: InFlightMessage): void;
  /** Another dispatcher has taken over. */
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

/** Makes the record of what is in flight in a process with so many slots. */
export function createInFlight(concurrency: number): InFlight {
  // Not a Set: the tables that it outgrows keep what has long been deleted until a major garbage collection.
  const entries: InFlightMessage[] = [];
  const busy = new Map<string, number>();
  const batchSizes = new Map<number, number>();
  const finishedBatches: number[] = [];
  // By pool: what is being sent, the slow ones of it, and the slow ones that are queued or being sent.
  const sendingOf = new Map<string, number>();
  const slowSendingOf = new Map<string, number>();
  const slowOf = new Map<string, number>();
  const waiters = new Set<() => void>();
  let sending = 0;
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
