/** Wakes one sleeper; a call that comes while no one sleeps is kept for the next sleep. */
export interface Alarm {
  /** Ends the sleep now. */
  ring(): void;
  /** Ends the sleep in so many milliseconds, or sooner. */
  ringWithin(ms: number): void;
  /** Resolves when rung, or after so many milliseconds. One sleeper at a time. */
  sleep(longestMs: number): Promise<void>;
  /** Clears every timer. */
  clear(): void;
}

/** Makes an alarm. */
export function createAlarm(): Alarm {
  let isRung = false;
  let wakeSleeper: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = Number.POSITIVE_INFINITY;

  const ring = () => {
    isRung = true;
    wakeSleeper?.();
  };
  const ringWithin = (ms: number) => {
    const at = performance.now() + ms;
    if (at >= ringsAt) return;
    clearTimeout(timer);
    ringsAt = at;
    timer = setTimeout(() => {
      ringsAt = Number.POSITIVE_INFINITY;
      ring();
    }, ms);
  };
  return {
    ring,
    ringWithin,
    async sleep(longestMs) {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wakeSleeper = resolve;
        ringWithin(longestMs);
        await promise;
        wakeSleeper = undefined;
      }
      isRung = false;
    },
    clear() {
      clearTimeout(timer);
      ringsAt = Number.POSITIVE_INFINITY;
    },
  };
}
