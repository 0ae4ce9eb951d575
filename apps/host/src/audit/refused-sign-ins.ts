const windowMs = 3_600_000;

/** The maximum number of refused sign-ins that are recorded within an hour. */
export const maxRefusalsPerHour = 20;

/**
 * Creates a function that decides whether the refusal of an address or account is recorded: each once an hour, and not
 * more than {@link maxRefusalsPerHour} of them. A stranger must not be able to fill a log that keeps everything.
 * @param now - milliseconds of a clock
 */
export function createRefusalLimit(
  now: () => number = () => performance.now(),
): (address: string) => boolean {
  let recorded = new Set<string>();
  let endsAt = 0;
  return (address) => {
    if (now() >= endsAt) {
      recorded = new Set();
      endsAt = now() + windowMs;
    }
    if (recorded.has(address) || recorded.size === maxRefusalsPerHour) return false;
    recorded.add(address);
    return true;
  };
}
