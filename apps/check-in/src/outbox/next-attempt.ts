const firstWaitMs = 5_000;
const maxWaitMs = 5 * 60_000;
/** Of an answer that will not change by itself. */
const problemWaitMs = 6 * 3_600_000;

/**
 * How long a signing that was not sent waits for the next attempt. Going online or coming back to the page tries at once.
 * @param random - between 0 and 1: devices that lost signal together do not come back in step
 */
export function nextWaitMs(attempts: number, hasProblem: boolean, random: number): number {
  const wait = hasProblem ? problemWaitMs : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(attempts, 10));
  return Math.round(wait * (0.75 + random / 2));
}
