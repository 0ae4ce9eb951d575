/** The pause between two looks for work. */
export interface PollPause {
  /** Resolves after the time between polls, or when woken, also if that was before. */
  wait(): Promise<void>;
  wake(): void;
}

/** Creates the pause of one background loop. @param signal - ends every pause at once */
export function createPollPause(pollMs: number, signal: AbortSignal): PollPause {
  let isWoken = false;
  let end: () => void = () => {};
  const wake = () => {
    isWoken = true;
    end();
  };
  signal.addEventListener('abort', wake);
  return {
    wake,
    async wait() {
      if (!isWoken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
