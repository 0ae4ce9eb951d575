const windowMs = 3_600_000;

/** The maximum number of refused sign-ins from one network that are recorded within an hour. */
export const maxRefusalsOfNetwork = 5;
/** The same for all networks together. */
export const maxRefusalsPerHour = 200;

/** The network of an address in the form of `countedAddress`: the first 24 bits of IPv4, 48 of IPv6. */
const networkOf = (address: string) => address.replace(/[.:][^.:]*$/, '');

/**
 * Creates a function that decides whether the refusal of a key (an address or an account) is recorded: each key once an
 * hour, within {@link maxRefusalsOfNetwork} and {@link maxRefusalsPerHour}. A stranger must not be able to fill a log
 * that keeps everything, or to hide others' refusals.
 * @param now - milliseconds of a clock
 */
export function createRefusalLimit(
  now: () => number = () => performance.now(),
): (key: string, network?: string) => boolean {
  let recorded = new Set<string>();
  let ofNetwork = new Map<string, number>();
  let endsAt = 0;
  return (key, network = networkOf(key)) => {
    if (now() >= endsAt) {
      recorded = new Set();
      ofNetwork = new Map();
      endsAt = now() + windowMs;
    }
    const count = ofNetwork.get(network) ?? 0;
    if (recorded.has(key) || count === maxRefusalsOfNetwork || recorded.size === maxRefusalsPerHour)
      return false;
    recorded.add(key);
    ofNetwork.set(network, count + 1);
    return true;
  };
}
