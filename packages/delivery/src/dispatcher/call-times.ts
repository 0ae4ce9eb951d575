import { callTimeAfter, isSlowCall } from '../policy/pool-shares.ts';

/** The mean duration of calls to each destination. */
export interface CallTimes {
  isSlow(destination: string): boolean;
  add(destination: string, callMs: number): void;
}

const maxDestinations = 10_000;

/** Remembers the call times of at most ten thousand destinations. */
export function createCallTimes(): CallTimes {
  const times = new Map<string, number>();
  return {
    isSlow: (destination) => isSlowCall(times.get(destination)),
    add(destination, callMs) {
      const former = times.get(destination);
      if (former === undefined && times.size >= maxDestinations) times.clear();
      times.set(destination, callTimeAfter(former, callMs));
    },
  };
}
