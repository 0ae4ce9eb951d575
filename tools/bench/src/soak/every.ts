import { setTimeout as wait } from 'node:timers/promises';

/** Tasks that are begun at an even rate until they are stopped. */
export interface Paced {
  /** Begins no more, and resolves when those that were begun have ended. */
  stop(): Promise<void>;
}

/** Begins `task` at an even rate, whether those before have ended or not. It must not reject. */
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
