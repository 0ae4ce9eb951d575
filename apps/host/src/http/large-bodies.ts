/** Parsing less than this holds up nobody: a millisecond or two. */
const largeBytes = 256 * 1024;

/**
 * Parses large bodies one after another. A body of 4 MiB holds the event loop for tens of milliseconds: before the next
 * one, everybody else has twice that time, so that large bodies take a third of the process at most.
 * @returns a function that calls `parse`, at once for a body that is not large
 */
export function createLargeBodyTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return async <Parsed>(bytes: number, parse: () => Parsed): Promise<Parsed> => {
    if (bytes <= largeBytes) return parse();
    const { promise: next, resolve: letNextBegin } = Promise.withResolvers<void>();
    const previous = last;
    last = next;
    await previous;
    const began = performance.now();
    try {
      return parse();
    } finally {
      setTimeout(letNextBegin, 2 * (performance.now() - began));
    }
  };
}
