/** Shares work between concurrent callers with the same key. */
export interface SingleFlight<Result> {
  /**
   * Joins the running work of this key, or starts it. Only the caller whose signal aborts is rejected; the work's own
   * signal aborts when the last caller has left.
   */
  run(
    key: string,
    callerSignal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

interface Flight<Result> {
  /** Undefined when it has ended. */
  result: Promise<Result> | undefined;
  readonly abandon: AbortController;
  callers: number;
}

/** A {@link SingleFlight} within this process. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function end(key: string, flight: Flight<Result>): void {
    if (flights.get(key) === flight) flights.delete(key);
    // The map's outgrown tables keep the flight alive until a major garbage collection: release its result now.
    flight.result = undefined;
  }

  function start(key: string, work: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const abandon = new AbortController();
    const flight: Flight<Result> = { abandon, callers: 0, result: undefined };
    const result = work(abandon.signal).finally(() => end(key, flight));
    // Callers get the rejection; avoid unhandledRejection when all of them have left.
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
            // New callers must not join aborted work.
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
