import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { RouteAccess } from '@waiver-service/api';
import { HttpProblem, problemBody } from '../answers/problems.ts';
import type { HostApp } from '../app/host-app.ts';
import { isReading } from './access.ts';

// All counted callers and keys together.
const maxEntries = 50_000;

/** How many different wrong keys of one caller are counted in a minute; beyond them, each wrong one is refused. */
export const maxDifferentKeys = 100;

/** A call whose key was looked up and is wrong. */
interface KeyFailure {
  /** Who called: see {@link countedAddress}. */
  readonly caller: string;
  /** Empty if no key was sent. */
  readonly key: string | undefined;
}

/**
 * Counts calls with a wrong key, per caller and key, for a minute. Call it once the key is known to be wrong: a valid
 * one is never refused because of others' failures at the same address.
 */
interface FailureThrottle {
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

const maxKeys = 50_000;

/** Counts what each key takes within a time window, in this process. */
export interface RateLimit {
  /** @returns milliseconds until `amount` more may be taken; 0 if it may be now */
  waitMs(key: string, amount: number): number;
  take(key: string, amount: number): void;
}

interface Window {
  readonly until: number;
  taken: number;
}

/**
 * A window begins with the first that a key takes.
 * @param now - milliseconds of a monotonic clock: one that is set back would keep everybody out
 */
export function createRateLimit(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  now: () => number = () => performance.now(),
): RateLimit {
  const windows = new Map<string, Window>();
  function current(key: string): Window | undefined {
    const known = windows.get(key);
    return known !== undefined && known.until > now() ? known : undefined;
  }
  return {
    waitMs(key, amount) {
      const { until, taken } = current(key) ?? { until: now() + windowMs, taken: 0 };
      return taken + amount <= max ? 0 : until - now();
    },
    take(key, amount) {
      const window = current(key) ?? { until: now() + windowMs, taken: 0 };
      // Moved to the end, so that the oldest are evicted first.
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest);
      window.taken += amount;
    },
  };
}

const windowMs = 60_000;
const maxAddresses = 50_000;

/** How many requests without a token one address may make in a minute. */
const maxAddressRequests = 1_200;
/**
 * The same for the files of pages, which cost less: twice what the browsers of a school class need, 200 behind one
 * address, when they open the check-in page for the first time, with 40 files each.
 */
const maxFileRequests = 16_000;

// Otherwise other callers' requests could make a load balancer remove or restart a host.
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

interface BudgetedRoute {
  readonly access: RouteAccess | undefined;
  readonly method: string;
  readonly url: string | undefined;
}

/**
 * Whether requests of a route count against the budget of their address: pages, files and documents that need no token.
 * Signing in does not: a valid token is always accepted, and wrong ones are counted separately.
 */
export const isBudgeted = ({ access, method, url }: BudgetedRoute): boolean =>
  access === 'public' && isReading(method) && !probes.has(url);

const refusal = JSON.stringify(
  problemBody(
    new HttpProblem(
      429,
      'too_many_requests',
      'Too many requests without a token from this address: repeat this one after the time in Retry-After.',
    ),
  ),
);

/**
 * Refuses requests that need no token beyond {@link maxAddressRequests} a minute from one address, unknown paths
 * included, and those for files of pages beyond {@link maxFileRequests}. Register it before anything that costs more: a
 * refused request leaves no line in the log and no trace, only its count among the metrics.
 */
export function limitAddresses(app: HostApp, now: () => number = () => performance.now()): void {
  // All addresses share the window, so that there is no need to search for expired ones.
  const requests = new Map<string, number>();
  const fileRequests = new Map<string, number>();
  let windowEnd = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const { url, config } = request.routeOptions;
    if (!request.is404 && !isBudgeted({ access: config.access, method: request.method, url })) return done();
    const time = now();
    if (time >= windowEnd) {
      requests.clear();
      fileRequests.clear();
      windowEnd = time + windowMs;
    }
    const address = countedAddress(request.ip);
    const isFile = !request.is404 && config.isPageFile === true;
    const [counts, max] = isFile ? [fileRequests, maxFileRequests] : [requests, maxAddressRequests];
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (counts.size > maxAddresses) counts.delete(counts.keys().next().value ?? '');
    if (count <= max) return done();
    if (count === max + 1) {
      app.log.warn(
        { remoteAddress: request.ip },
        `an address sent more than ${max} requests without a token in a minute: more are refused. If it is a proxy, set TRUST_PROXY`,
      );
    }
    reply
      .code(429)
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'retry-after': String(Math.ceil((windowEnd - time) / 1000)),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(refusal);
  });
}
