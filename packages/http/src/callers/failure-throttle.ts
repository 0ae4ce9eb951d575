import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { HttpProblem } from '../answers/http-problem.ts';

const windowMs = 60_000;
// All counted callers and keys together.
const maxEntries = 50_000;

/** How many different wrong keys of one caller are counted in a minute; beyond them, each wrong one is refused. */
export const maxDifferentKeys = 100;

/** A call whose key was looked up and is wrong. */
export interface KeyFailure {
  /** Who called: see {@link countedAddress}. */
  readonly caller: string;
  /** Empty if no key was sent. */
  readonly key: string | undefined;
}

/**
 * Counts calls with a wrong key, per caller and key, for a minute. Call it once the key is known to be wrong: a valid
 * one is never refused because of others' failures at the same address.
 */
export interface FailureThrottle {
  /** @throws HttpProblem 429 `too_many_failures`, with Retry-After */
  record(failure: KeyFailure): void;
}

interface CallerFailures {
  readonly until: number;
  /** How often each key failed, by the key's hash; nothing is counted beyond {@link maxDifferentKeys}. */
  readonly failuresOf: Map<string, number>;
  isBeyond: boolean;
}

const hashOf = (key: string | undefined) => hash('sha256', key ?? '', 'base64');

function tooManyFailures(until: number, now: number): HttpProblem {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new HttpProblem(
    429,
    'too_many_failures',
    `Too many calls from this address with a wrong key or token. A valid one is accepted at any time; retry with a different one in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/**
 * A throttle of failures in this process.
 * @param maxFailures - how many failures a minute with one key get their own response, before 429
 * @param now - milliseconds of a monotonic clock
 */
export function createFailureThrottle(
  maxFailures: number,
  now: () => number = () => performance.now(),
): FailureThrottle {
  const callers = new Map<string, CallerFailures>();
  let entries = 0;

  function remove(caller: string, { failuresOf }: CallerFailures): void {
    callers.delete(caller);
    entries -= 1 + failuresOf.size;
  }

  function current(caller: string): CallerFailures {
    const known = callers.get(caller);
    if (known !== undefined && known.until > now()) return known;
    if (known !== undefined) remove(caller, known);
    const fresh = { until: now() + windowMs, failuresOf: new Map<string, number>(), isBeyond: false };
    callers.set(caller, fresh);
    entries += 1;
    return fresh;
  }

  // Evict the oldest, so that made-up addresses and keys cannot fill the memory.
  function forgetOldest(): void {
    for (const [caller, failures] of callers) {
      if (entries <= maxEntries) return;
      remove(caller, failures);
    }
  }

  return {
    record({ caller, key }) {
      const failures = current(caller);
      const { failuresOf, until } = failures;
      const keyHash = hashOf(key);
      const count = (failuresOf.get(keyHash) ?? 0) + 1;
      if (count === 1 && failuresOf.size === maxDifferentKeys) {
        failures.isBeyond = true;
        entries -= failuresOf.size;
        failuresOf.clear();
      }
      if (failures.isBeyond) throw tooManyFailures(until, now());
      failuresOf.set(keyHash, count);
      if (count === 1) entries += 1;
      forgetOldest();
      if (count > maxFailures) throw tooManyFailures(until, now());
    },
  };
}

/** One caller's address, as it is counted: for IPv6 the first 64 bits, since one caller controls the rest. */
export function countedAddress(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':');
}
