import { maxSlowSlots } from '../policy/pool-shares.ts';
import { createFairQueue } from './fair-queue.ts';
import type { EndedAttempt, InFlightMessage } from './in-flight-message.ts';

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
