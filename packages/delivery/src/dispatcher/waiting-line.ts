import type { Flight } from './flights.ts';

/** What waits for a slot, pool by pool. */
export interface WaitingLine {
  readonly size: number;
  /** Puts one at the end of its pool's line; one that must begin soon at the beginning. */
  add(flight: Flight): void;
  /**
   * The one to begin next: what must begin soon, else of the pool that is sending the least. Within a pool the order
   * is that of the claims.
   */
  next(): Flight | undefined;
  /** Takes out what {@link next} gave. */
  shift(next: Flight): void;
  /** Takes out what is meant, wherever it stands. */
  take(isMeant: (flight: Flight) => boolean): Flight[];
}

/** How the pools stand. */
export interface PoolsInFlight {
  /** Messages of a pool that are being sent. */
  sendingOf(pool: string): number;
  /** Whether a pool may begin another slow call. */
  maySendSlow(pool: string): boolean;
}

interface PoolLine {
  /** Calls that are expected to end soon, and those that may hold their slot for long. */
  quick: Flight[];
  slow: Flight[];
}

const isUrgent = ({ beginBy }: Flight) => beginBy !== Number.POSITIVE_INFINITY;

/** Makes a line in which no pool waits behind another's messages. */
export function createWaitingLine({ sendingOf, maySendSlow }: PoolsInFlight): WaitingLine {
  // In the order in which they came to wait, so that of two that send equally much the one that waits longer is next.
  const pools = new Map<string, PoolLine>();
  let size = 0;
  let urgent = 0;

  const lineOf = ({ isSlow }: Flight, { quick, slow }: PoolLine) => (isSlow ? slow : quick);
  function took(flight: Flight): void {
    size -= 1;
    if (isUrgent(flight)) urgent -= 1;
  }
  function firstOf(pool: string, { quick, slow }: PoolLine): Flight | undefined {
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
    add(flight) {
      const { pool } = flight.message;
      const own = pools.get(pool) ?? { quick: [], slow: [] };
      pools.set(pool, own);
      size += 1;
      if (isUrgent(flight)) {
        urgent += 1;
        lineOf(flight, own).unshift(flight);
      } else lineOf(flight, own).push(flight);
    },
    next() {
      let chosen: Flight | undefined;
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
      lineOf(next, own).shift();
      took(next);
      // It goes behind the other pools.
      pools.delete(pool);
      if (own.quick.length + own.slow.length > 0) pools.set(pool, own);
    },
    take(isMeant) {
      const taken: Flight[] = [];
      for (const [pool, own] of pools) {
        const meant = [...own.quick, ...own.slow].filter(isMeant);
        if (meant.length === 0) continue;
        taken.push(...meant);
        own.quick = own.quick.filter((flight) => !isMeant(flight));
        own.slow = own.slow.filter((flight) => !isMeant(flight));
        if (own.quick.length + own.slow.length === 0) pools.delete(pool);
      }
      for (const flight of taken) took(flight);
      return taken;
    },
  };
}
