/** Lets concurrent callers of one key share one piece of work. */
export interface SingleFlight<Result> {
  /**
   * Joins the work of this key that is under way, or starts it. A caller whose signal aborts gets its own rejection
   * and leaves the others alone; the work's signal aborts when the last caller has gone.
   */
  run(
    key: string,
    callerSignal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface Flight<Result> {
  /** Undefined once it is over. */
  result: Promise<Result> | undefined;
  readonly abandon: AbortController;
  callers: number;
}

/** A {@link SingleFlight} within this process. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function end(key: string, flight: Flight<Result>): void {
    if (flights.get(key) === flight) flights.delete(key);
    // The tables that the map outgrows keep the flight until a major garbage collection, but need not keep its result.
    flight.result = undefined;
  }

  function start(key: string, work: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const abandon = new AbortController();
    const flight: Flight<Result> = { abandon, callers: 0, result: undefined };
    const result = work(abandon.signal).finally(() => end(key, flight));
    // Whoever waits gets the rejection; that nobody may be left to wait is no fault of the process.
    result.catch(() => undefined);
    flight.result = result;
    flights.set(key, flight);
    return flight;
  }

  return {
    run(key, callerSignal, work) {
      if (callerSignal.aborted) return Promise.reject(callerSignal.reason);
      const flight = flights.get(key) ?? start(key, work);
      flight.callers += 1;
      return new Promise<Result>((resolve, reject) => {
        const leave = () => {
          flight.callers -= 1;
          if (flight.callers === 0) {
            // A caller who comes now must not join work that has been given up.
            if (flights.get(key) === flight) flights.delete(key);
            flight.abandon.abort(callerSignal.reason);
          }
          reject(callerSignal.reason);
        };
        callerSignal.addEventListener('abort', leave, { once: true });
        flight.result?.then(resolve, reject).finally(() => callerSignal.removeEventListener('abort', leave));
      });
    },
  };
}
