const firstWaitMs = 5_000;
const maxWaitMs = 5 * 60_000;
/** After a response that will not change by itself. */
const problemWaitMs = 6 * 3_600_000;

/**
 * The backoff before a signing's next attempt. Going online or returning to the page retries at once.
 * @param random - between 0 and 1: jitter for devices that lost the network together
 */
export function nextWaitMs(attempts: number, hasProblem: boolean, random: number): number {
  const wait = hasProblem ? problemWaitMs : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(attempts, 10));
  return Math.round(wait * (0.75 + random / 2));
}
