/** Something that is done again and again until it is stopped. */
export interface Repetition {
  /** Does it no more, and waits for the one that runs. */
  stop(): Promise<void>;
}

/** Does something every so many milliseconds, never two at once. `task` must not reject. */
export function repeat(task: () => Promise<void>, everyMs: number): Repetition {
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = task().finally(() => {
      isBusy = false;
    });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
