import type { ClaimedDelivery } from '@waiver-service/store';

/** One message that this process has claimed and not yet recorded. Its lane is leased all the while. */
export interface Flight {
  readonly message: ClaimedDelivery;
  readonly isRetry: boolean;
  readonly abort: AbortController;
  /** `waiting` for a slot, being sent, or sent and to be recorded. */
  stage: 'waiting' | 'sending' | 'ended';
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
  /** Puts one in line; what must begin soon goes first. */
  add(flight: Flight): void;
  /** The next one in line. */
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

/** Counts what is in flight. */
export function createFlights(): Flights {
  const flights = new Set<Flight>();
  const busy = new Map<string, number>();
  const landedWaiters = new Set<() => void>();
  let line: Flight[] = [];
  let sending = 0;
  let retries = 0;

  const count = ({ message: { destination }, isRetry }: Flight, by: 1 | -1) => {
    const now = (busy.get(destination) ?? 0) + by;
    if (now === 0) busy.delete(destination);
    else busy.set(destination, now);
    if (isRetry) retries += by;
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
      return line.length;
    },
    get sending() {
      return sending;
    },
    get ended() {
      return flights.size - line.length - sending;
    },
    get retries() {
      return retries;
    },
    busy,
    add(flight) {
      flights.add(flight);
      count(flight, 1);
      if (flight.beginBy === Number.POSITIVE_INFINITY) line.push(flight);
      else line.unshift(flight);
    },
    next: () => line[0],
    begin(next) {
      line.shift();
      next.stage = 'sending';
      sending += 1;
    },
    end(flight) {
      flight.stage = 'ended';
      sending -= 1;
      count(flight, -1);
    },
    remove,
    takeWaiting(isMeant) {
      const taken = line.filter(isMeant);
      if (taken.length === 0) return taken;
      line = line.filter((flight) => !isMeant(flight));
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
