/** Wakes one sleeper. A call without a sleeper ends the next sleep at once. */
export interface WakeTimer {
  /** Ends the sleep now. */
  wake(): void;
  /** Ends the sleep within this many milliseconds. */
  wakeWithin(ms: number): void;
  /** Resolves when woken, or after `maxMs` milliseconds. One sleeper at a time. */
  sleep(maxMs: number): Promise<void>;
  clear(): void;
}

/** Creates a wake timer. */
export function createWakeTimer(): WakeTimer {
  let isWoken = false;
  let wakeSleeper: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;

  const wake = () => {
    isWoken = true;
    wakeSleeper?.();
  };
  const wakeWithin = (ms: number) => {
    const at = performance.now() + ms;
    if (at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(() => {
      wakesAt = Number.POSITIVE_INFINITY;
      wake();
    }, ms);
  };
  return {
    wake,
    wakeWithin,
    async sleep(maxMs) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wakeSleeper = resolve;
        if (maxMs !== Number.POSITIVE_INFINITY) wakeWithin(maxMs);
        await promise;
        wakeSleeper = undefined;
      }
      isWoken = false;
    },
    clear() {
      clearTimeout(timer);
      wakesAt = Number.POSITIVE_INFINITY;
    },
  };
}
