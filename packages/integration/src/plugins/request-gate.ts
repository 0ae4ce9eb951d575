import { RateLimited, type RequestLimits } from '@waiver-service/core';
import type { TakenRequests, UnusedRequests } from '@waiver-service/outbox';
import type { Store } from '../given.ts';

/** An installation whose requests are limited. */
export interface LimitedInstallation {
  readonly destination: string;
  readonly bookingSystem: string;
  readonly displayName: string;
  readonly limits: RequestLimits;
}

/** A request to make. */
interface GatedRequest {
  readonly purpose: 'read' | 'guest-update';
  /** When its call must have ended, by `performance.now()`. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** Keeps the requests of this process and all other hosts within the booking systems' limits. */
export interface RequestGate {
  /**
   * Resolves when one request may be made; it must then be made at once. Reads take precedence over Guest Updates.
   * @throws RateLimited if it would have to wait for more than two seconds, or five for a Guest Update
   */
  enter(installation: LimitedInstallation, request: GatedRequest): Promise<void>;
}

interface Waiting {
  readonly purpose: GatedRequest['purpose'];
  readonly giveUpAt: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** This process's share of one budget; it exists while any of it is in use. */
interface Share {
  readonly installation: LimitedInstallation;
  waiting: Waiting[];
  /** Requests that were taken ahead. */
  reserve: (UnusedRequests & { readonly until: number }) | undefined;
  isServing: boolean;
  /** When the next request is expected to be available, by `performance.now()`. */
  nextAt: number;
}

// A person waits for a read, so return the cached booking or an error soon; a Guest Update would lose what it has
// already read, so it waits longer.
const maxWaitMs: Readonly<Record<GatedRequest['purpose'], number>> = { read: 2_000, 'guest-update': 5_000 };
// Other hosts may need the unused requests.
const maxReserveMs = 10_000;
const maxPrefetch = 3;
const minRetryAfterMs = 100;
const minWindowToPrefetchMs = 10_000;

/**
 * How many requests to take ahead, so that not every request for a booking costs a statement. None from a short window:
 * they would rarely be used in time.
 */
function prefetchCount({ windows }: RequestLimits): number {
  const shortest = windows.reduce((one, other) => (other.windowMs < one.windowMs ? other : one));
  if (shortest.windowMs < minWindowToPrefetchMs) return 0;
  return Math.min(maxPrefetch, Math.floor(shortest.requests / 30));
}

function budgetExhausted({ displayName, limits }: LimitedInstallation, untilNextMs: number): RateLimited {
  const waitMs = Math.max(Math.ceil(untilNextMs), minRetryAfterMs);
  const allowed = limits.windows.map(({ requests, windowMs }) => `${requests} in ${windowMs / 1_000} s`);
  return new RateLimited(
    `${displayName} was not asked: the requests that it takes (${allowed.join(', ')}) are used up. Try again in ${Math.ceil(waitMs / 1_000)} s`,
    { retryAfterMs: waitMs, notSent: true },
  );
}

// Not from node:timers/promises, which the tests' fake timers do not advance.
const afterMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The {@link RequestGate} of this process. */
export function createRequestGate(budgets: Store['requestBudgets']): RequestGate {
  const shares = new Map<string, Share>();
  const keyOf = ({ limits, destination, bookingSystem }: LimitedInstallation) =>
    limits.per === 'installation' ? destination : `booking-system ${bookingSystem}`;

  function shareOf(installation: LimitedInstallation): Share {
    const key = keyOf(installation);
    const share = shares.get(key) ?? {
      installation,
      waiting: [],
      reserve: undefined,
      isServing: false,
      nextAt: 0,
    };
    shares.set(key, share);
    return share;
  }

  function forget(share: Share): void {
    const key = keyOf(share.installation);
    const isInUse = share.isServing || share.waiting.length > 0 || share.reserve !== undefined;
    if (!isInUse && shares.get(key) === share) shares.delete(key);
  }

  /** Admits waiting requests, up to this number. @returns the number left over */
  function admit(share: Share, requests: number): number {
    let left = requests;
    while (left > 0) {
      const next = share.waiting.shift();
      if (next === undefined) return left;
      next.resolve();
      left -= 1;
    }
    return left;
  }

  function admitFromReserve(share: Share): void {
    const { reserve } = share;
    if (reserve === undefined || performance.now() > reserve.until) return;
    const requests = admit(share, reserve.requests);
    share.reserve = requests > 0 ? { ...reserve, requests } : undefined;
  }

  /** Takes requests, and gives back the unused ones of the previous reserve. */
  async function take(share: Share, requests: number): Promise<TakenRequests | undefined> {
    const unused = share.reserve;
    share.reserve = undefined;
    return budgets.take({ destination: share.installation.destination, requests, unused });
  }

  function keepReserve(share: Share, { takenMs }: TakenRequests, requests: number, until: number): void {
    if (requests === 0) return;
    const reserve = { takenMs, requests, until };
    share.reserve = reserve;
    setTimeout(() => void returnReserve(share, takenMs), Math.max(0, until - performance.now())).unref();
  }

  async function returnReserve(share: Share, takenMs: number): Promise<void> {
    if (share.reserve?.takenMs !== takenMs || share.isServing) return;
    // Requests that cannot be given back become available again one window later.
    await take(share, 0).catch(() => undefined);
    forget(share);
  }

  /** @returns milliseconds until there are more */
  async function serveOnce(share: Share): Promise<number> {
    const askedAt = performance.now();
    const taken = await take(share, share.waiting.length + prefetchCount(share.installation.limits));
    if (taken === undefined) {
      admit(share, Number.POSITIVE_INFINITY);
      return 0;
    }
    const until = askedAt + Math.min(taken.makeWithinMs, maxReserveMs);
    const inTime = performance.now() <= until;
    keepReserve(share, taken, inTime ? admit(share, taken.requests) : taken.requests, until);
    return taken.waitMs;
  }

  /** Rejects those that would have to wait longer than allowed. */
  function rejectOverdue(share: Share, waitMs: number): void {
    const nextAt = performance.now() + waitMs;
    const [patient, others] = [
      share.waiting.filter(({ giveUpAt }) => giveUpAt >= nextAt),
      share.waiting.filter(({ giveUpAt }) => giveUpAt < nextAt),
    ];
    share.waiting = patient;
    for (const { reject } of others) reject(budgetExhausted(share.installation, waitMs));
  }

  /** Queues reads ahead of Guest Updates. */
  function enqueue(share: Share, waiting: Waiting): void {
    const firstUpdate = share.waiting.findIndex(({ purpose }) => purpose === 'guest-update');
    const isBefore = waiting.purpose === 'read' && firstUpdate >= 0;
    share.waiting.splice(isBefore ? firstUpdate : share.waiting.length, 0, waiting);
  }

  async function serve(share: Share): Promise<void> {
    share.isServing = true;
    try {
      for (admitFromReserve(share); share.waiting.length > 0; admitFromReserve(share)) {
        const waitMs = await serveOnce(share);
        rejectOverdue(share, waitMs);
        share.nextAt = performance.now() + waitMs;
        if (share.waiting.length > 0 && waitMs > 0) await afterMs(waitMs + 1);
      }
    } catch (error) {
      for (const { reject } of share.waiting.splice(0)) reject(error);
    } finally {
      share.isServing = false;
      const { reserve } = share;
      if (reserve !== undefined && performance.now() > reserve.until)
        await returnReserve(share, reserve.takenMs);
      forget(share);
    }
  }

  return {
    enter(installation, { purpose, deadlineAt, signal }) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const share = shareOf(installation);
      return new Promise((resolve, reject) => {
        const giveUpAt = Math.min(performance.now() + maxWaitMs[purpose], deadlineAt);
        if (share.isServing && share.nextAt > giveUpAt) {
          reject(budgetExhausted(installation, share.nextAt - performance.now()));
          return;
        }
        const waiting: Waiting = {
          purpose,
          giveUpAt,
          resolve() {
            signal.removeEventListener('abort', leave);
            resolve();
          },
          reject(reason) {
            signal.removeEventListener('abort', leave);
            reject(reason);
          },
        };
        const leave = () => {
          share.waiting = share.waiting.filter((one) => one !== waiting);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave);
        enqueue(share, waiting);
        if (!share.isServing) void serve(share);
      });
    },
  };
}
