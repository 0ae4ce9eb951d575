import { createWakeTimer } from '@waiver-service/delivery';

/** Work that a process does in the background; several processes share it. */
export interface BackgroundWork {
  start(): void;
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Aborts the current work, which a later run repeats, and ends the loop. */
  stop(): Promise<void>;
}

export interface BackgroundLoop extends BackgroundWork {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  /** Resolves when woken, or after a time. */
  sleep(maxMs: number): Promise<void>;
}

/** @param run - the loop, which ends when the signal is aborted */
export function createBackgroundLoop(run: () => Promise<void>): BackgroundLoop {
  const stopping = new AbortController();
  const timer = createWakeTimer();
  let running: Promise<void> | undefined;
  return {
    signal: stopping.signal,
    sleep: timer.sleep,
    wake: timer.wake,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      timer.wake();
      await running;
      timer.clear();
    },
  };
}
