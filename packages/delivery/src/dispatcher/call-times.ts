import { callTimeAfter, isSlowCall } from '../policy/pool-shares.ts';

/** How long the calls to each destination take. */
export interface CallTimes {
  isSlow(destination: string): boolean;
  add(destination: string, callMs: number): void;
}

const maxDestinations = 10_000;

/** Remembers call times, those of ten thousand destinations at most. */
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
