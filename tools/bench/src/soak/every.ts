import { setTimeout as wait } from 'node:timers/promises';

/** Tasks started at an even rate until stopped. */
export interface Paced {
  /** Starts no more, and resolves when all started tasks have ended. */
  stop(): Promise<void>;
}

/** Starts `task` at an even rate, whether or not earlier ones have ended. It must not reject. */
export function every(periodMs: number, task: () => Promise<void>): Paced {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();

  async function run(): Promise<void> {
    for (let index = 1; !signal.aborted; index += 1) {
      const dueIn = startedAt + index * periodMs - performance.now();
      if (dueIn > 0) await wait(dueIn, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const one = task();
      running.add(one);
      void one.finally(() => running.delete(one));
    }
  }
  const beginning = run();
  return {
    async stop() {
      stopping.abort();
      await beginning;
      await Promise.all(running);
    },
  };
}
