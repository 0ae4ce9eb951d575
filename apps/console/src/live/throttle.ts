/** Runs work by name: at once, and while it is asked for again and again, once in `everyMs`. */
export function createThrottle(everyMs: number) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const wanted = new Map<string, () => void>();

  function rest(name: string): void {
    const timer = setTimeout(() => {
      timers.delete(name);
      const next = wanted.get(name);
      wanted.delete(name);
      if (next !== undefined) {
        next();
        rest(name);
      }
    }, everyMs);
    timers.set(name, timer);
  }

  return {
    run(name: string, work: () => void): void {
      if (timers.has(name)) {
        wanted.set(name, work);
        return;
      }
      work();
      rest(name);
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      wanted.clear();
    },
  };
}
