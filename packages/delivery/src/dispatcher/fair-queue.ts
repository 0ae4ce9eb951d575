import type { InFlightMessage } from './in-flight-message.ts';

/** Messages that wait for a slot, pool by pool. */
export interface FairQueue {
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
export interface PoolLoad {
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
export function createFairQueue({ sendingOf, maySendSlow }: PoolLoad): FairQueue {
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
