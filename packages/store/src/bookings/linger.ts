/** Lets work that nobody waits for wait for more of its kind. */
export interface Linger {
  /** Resolves for all who wait at once: some time after the first of them came, or when they are many. */
  wait(): Promise<void>;
  /** Ends the waiting now. */
  end(): void;
}

/**
 * Makes a {@link Linger}.
 *
 * @param milliseconds how long the first one waits at most.
 * @param many how many need not wait longer.
 */
export function createLinger(milliseconds: number, many: number): Linger {
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  }

  return {
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        timer ??= setTimeout(end, milliseconds);
        if (waiting.length >= many) end();
      }),
    end,
  };
}
