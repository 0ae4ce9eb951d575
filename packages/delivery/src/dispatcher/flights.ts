import type { ClaimedDelivery } from '@waiver-service/store';
import { mostSlowSlots } from '../policy/pool-shares.ts';
import { createWaitingLine } from './waiting-line.ts';

/** One message that this process has claimed and not yet recorded. Its lane is leased all the while. */
export interface Flight {
  readonly message: ClaimedDelivery;
  readonly isRetry: boolean;
  /** Whether its call may hold a slot for long, as far as was known when it was claimed. */
  readonly isSlow: boolean;
  readonly abort: AbortController;
  /** `waiting` for a slot, being sent, or sent and to be recorded. */
  stage: 'waiting' | 'sending' | 'ended';
  /** Before the claim, by `performance.now()`. */
  readonly claimedAt: number;
  /** When its lease was last asked for, by `performance.now()`. */
  leasedAt: number;
  /** By when it must be begun, by `performance.now()`: its request was counted when it was claimed. */
  readonly beginBy: number;
}

/** What this process has in flight. */
export interface Flights {
  /** Everything that is not yet recorded. */
  readonly size: number;
  readonly waiting: number;
  readonly sending: number;
  /** Sent, and to be recorded. */
  readonly ended: number;
  /** How many of those that wait or are being sent hold slots that first tries are not kept. */
  readonly retries: number;
  /** Messages that wait or are being sent, for each destination. */
  readonly busy: ReadonlyMap<string, number>;
  /** How many more messages may be claimed for a pool whose calls may hold their slots for long. */
  slowRoomOf(pool: string): number;
  /** Puts one in line; what must begin soon goes first. */
  add(flight: Flight): void;
  /** The next one in line that there may be a slot for. */
  next(): Flight | undefined;
  /** Takes the next one out of the line: it is being sent from now on. */
  begin(next: Flight): void;
  /** Its slots are free. */
  end(flight: Flight): void;
  /** It is recorded, or not ours any more. */
  remove(flight: Flight): void;
  /** Takes out of the line what is not to be begun here. */
  takeWaiting(isMeant: (flight: Flight) => boolean): Flight[];
  all(): Flight[];
  /** Resolves when nothing is in flight. */
  landed(): Promise<void>;
}

/** Counts by a name; a name that is at zero is forgotten. */
function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now === 0) counts.delete(name);
  else counts.set(name, now);
}

/** Counts what is in flight, in a process with so many slots. */
export function createFlights(concurrency: number): Flights {
  const flights = new Set<Flight>();
  const busy = new Map<string, number>();
  // By pool: what is being sent, the slow ones of it, and the slow ones that wait or are being sent.
  const sendingOf = new Map<string, number>();
  const slowSendingOf = new Map<string, number>();
  const slowOf = new Map<string, number>();
  const landedWaiters = new Set<() => void>();
  let sending = 0;
  let retries = 0;

  const mostSlowOf = (pool: string) =>
    mostSlowSlots({ concurrency, ofOthers: sending - (sendingOf.get(pool) ?? 0) });
  const line = createWaitingLine({
    sendingOf: (pool) => sendingOf.get(pool) ?? 0,
    maySendSlow: (pool) => (slowSendingOf.get(pool) ?? 0) < mostSlowOf(pool),
  });

  const count = ({ message: { destination, pool }, isRetry, isSlow }: Flight, by: 1 | -1) => {
    add(busy, destination, by);
    if (isSlow) add(slowOf, pool, by);
    if (isRetry) retries += by;
  };
  const countSending = ({ message: { pool }, isSlow }: Flight, by: 1 | -1) => {
    sending += by;
    add(sendingOf, pool, by);
    if (isSlow) add(slowSendingOf, pool, by);
  };
  const remove = (flight: Flight) => {
    if (!flights.delete(flight) || flights.size > 0) return;
    for (const resolve of landedWaiters) resolve();
    landedWaiters.clear();
  };
  return {
    get size() {
      return flights.size;
    },
    get waiting() {
      return line.size;
    },
    get sending() {
      return sending;
    },
    get ended() {
      return flights.size - line.size - sending;
    },
    get retries() {
      return retries;
    },
    busy,
    slowRoomOf: (pool) => mostSlowOf(pool) - (slowOf.get(pool) ?? 0),
    add(flight) {
      flights.add(flight);
      count(flight, 1);
      line.add(flight);
    },
    next: () => line.next(),
    begin(next) {
      line.shift(next);
      next.stage = 'sending';
      countSending(next, 1);
    },
    end(flight) {
      flight.stage = 'ended';
      countSending(flight, -1);
      count(flight, -1);
    },
    remove,
    takeWaiting(isMeant) {
      const taken = line.take(isMeant);
      for (const flight of taken) {
        count(flight, -1);
        remove(flight);
      }
      return taken;
    },
    all: () => [...flights],
    landed: () =>
      flights.size === 0 ? Promise.resolve() : new Promise((resolve) => landedWaiters.add(() => resolve())),
  };
}
