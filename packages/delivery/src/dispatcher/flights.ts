import type { ClaimedDelivery } from '@waiver-service/store';

/** One message that is being sent, or recorded. */
export interface Flight {
  readonly message: ClaimedDelivery;
  readonly isRetry: boolean;
  readonly abort: AbortController;
  /** Sent, and waiting to be recorded. */
  isEnded: boolean;
}

/** What this process has in flight. */
export interface Flights {
  readonly size: number;
  /** How many hold slots that first tries are not kept. */
  readonly retries: number;
  /** Messages in flight to each destination. */
  readonly busy: ReadonlyMap<string, number>;
  add(flight: Flight): void;
  remove(flight: Flight): void;
  all(): Flight[];
  /** Resolves when nothing is in flight. */
  landed(): Promise<void>;
}

/** Counts what is in flight. */
export function createFlights(): Flights {
  const flights = new Set<Flight>();
  const busy = new Map<string, number>();
  const waiting = new Set<() => void>();
  let retries = 0;

  const count = ({ message: { destination }, isRetry }: Flight, by: 1 | -1) => {
    const now = (busy.get(destination) ?? 0) + by;
    if (now === 0) busy.delete(destination);
    else busy.set(destination, now);
    if (isRetry) retries += by;
  };
  return {
    get size() {
      return flights.size;
    },
    get retries() {
      return retries;
    },
    busy,
    add(flight) {
      flights.add(flight);
      count(flight, 1);
    },
    remove(flight) {
      if (!flights.delete(flight)) return;
      count(flight, -1);
      if (flights.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    all: () => [...flights],
    landed: () =>
      flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(() => resolve())),
  };
}
