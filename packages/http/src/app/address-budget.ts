import type { RouteAccess } from '@waiver-service/api';
import { HttpProblem } from '../answers/http-problem.ts';
import { problemBody } from '../answers/problem-answers.ts';
import { countedAddress } from '../callers/failure-throttle.ts';
import { isReading } from '../callers/route-access.ts';
import type { HostApp } from './host-app.ts';

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
