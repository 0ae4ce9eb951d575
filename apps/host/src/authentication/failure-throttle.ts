import { isIPv6 } from 'node:net';
import { HttpProblem } from '../http/http-problem.ts';

const windowMs = 60_000;
const mostEntries = 50_000;

interface Failures {
  count: number;
  readonly until: number;
}

/** Counts failures by who caused them, and refuses who caused too many, until the minute is over. */
export interface FailureThrottle {
  /** @throws HttpProblem 429 `too_many_failures`, with Retry-After */
  check(who: string): void;
  record(who: string): void;
}

/**
 * A throttle of failures in this process.
 * @param limit - how many failures a minute are allowed
 * @param now - milliseconds of a clock
 */
export function createFailureThrottle(limit: number, now: () => number = Date.now): FailureThrottle {
  const entries = new Map<string, Failures>();
  const current = (who: string): Failures | undefined => {
    const failures = entries.get(who);
    if (failures === undefined || failures.until > now()) return failures;
    entries.delete(who);
    return undefined;
  };
  return {
    check(who) {
      const failures = current(who);
      if (failures === undefined || failures.count < limit) return;
      const seconds = Math.max(1, Math.ceil((failures.until - now()) / 1000));
      throw new HttpProblem(
        429,
        'too_many_failures',
        `Too many calls with a wrong key from this address: try again in ${seconds} s.`,
        { headers: { 'retry-after': String(seconds) } },
      );
    },
    record(who) {
      const failures = current(who);
      if (failures !== undefined) {
        failures.count += 1;
        return;
      }
      // The oldest goes when there are too many, so that made-up addresses cannot fill the memory.
      const [oldest] = entries.keys();
      if (entries.size >= mostEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(who, { count: 1, until: now() + windowMs });
    },
  };
}

/** One caller's address, as it is counted: of IPv6 the first 64 bits, since one caller has all the rest. */
export function countedAddress(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':');
}
