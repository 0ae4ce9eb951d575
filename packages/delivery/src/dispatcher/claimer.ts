import type { ClaimedDelivery, DestinationShare, Outbox } from '@waiver-service/store';
import { planClaims, retrySlots } from '../policy/claim-plan.ts';
import type { Flights } from './flights.ts';

/** What a claimer is made with. */
export interface ClaimerOptions {
  readonly outbox: Pick<Outbox, 'findWork' | 'takeRequests' | 'claim' | 'claimProbes'>;
  readonly flights: Flights;
  readonly concurrency: number;
  readonly destinationConcurrency: number;
  readonly probeIntervalMs: number;
  readonly leaseMs: number;
  /** Starts to send what was claimed. `askedAt`: before the claim, by `performance.now()`. */
  readonly launch: (message: ClaimedDelivery, isRetry: boolean, askedAt: number) => void;
}

// Probes are an hour apart; to look for them at every claim would be for nothing.
const probeLookEveryMs = 1_000;

/**
 * Makes the function that claims as much as there is room for.
 * It returns whether there are destinations that it has not looked at yet.
 */
export function createClaimer(options: ClaimerOptions): () => Promise<boolean> {
  const { outbox, flights, concurrency, destinationConcurrency, probeIntervalMs, leaseMs, launch } = options;
  let after = '';
  let probesLookedAt = Number.NEGATIVE_INFINITY;

  const room = (isRetry: boolean) =>
    Math.min(
      concurrency - flights.size,
      isRetry ? retrySlots(concurrency) - flights.retries : Number.POSITIVE_INFINITY,
    );

  async function claimProbes(): Promise<void> {
    const askedAt = performance.now();
    const limit = room(true);
    if (limit <= 0 || askedAt - probesLookedAt < Math.min(probeLookEveryMs, probeIntervalMs)) return;
    probesLookedAt = askedAt;
    const claimed = await outbox.claimProbes({ limit, probeIntervalMs, leaseMs });
    for (const message of claimed) launch(message, true, askedAt);
  }

  /** Shares of limited destinations become what these still allow; they go first, since what was taken is spent. */
  async function allowed(
    shares: readonly DestinationShare[],
    limited: ReadonlySet<string>,
    { retrying, limit }: { readonly retrying: boolean; readonly limit: number },
  ): Promise<readonly DestinationShare[]> {
    let left = limit;
    const asked: DestinationShare[] = [];
    for (const { destination, slots } of shares.filter((share) => limited.has(share.destination))) {
      if (left <= 0) break;
      asked.push({ destination, slots: Math.min(slots, left) });
      left -= slots;
    }
    const granted = asked.length === 0 ? [] : await outbox.takeRequests(asked, retrying);
    return [...granted, ...shares.filter(({ destination }) => !limited.has(destination))];
  }

  return async () => {
    if (room(false) <= 0) return false;
    await claimProbes();
    const found = await outbox.findWork(after);
    after = found.after;
    const limited = new Set(found.work.filter((work) => work.limited).map(({ destination }) => destination));
    for (const { shares, retrying, isRetry } of planClaims(
      found.work,
      { busy: flights.busy, destinationConcurrency },
      Math.random,
    )) {
      const limit = room(isRetry);
      if (limit <= 0) continue;
      // A destination may stand in two claims: what the first took is no longer free.
      const free = shares
        .map(({ destination }) => ({
          destination,
          slots: destinationConcurrency - (flights.busy.get(destination) ?? 0),
        }))
        .filter(({ slots }) => slots > 0);
      const open = await allowed(free, limited, { retrying, limit });
      const askedAt = performance.now();
      const claimed = await outbox.claim({ shares: open, limit, retrying, leaseMs });
      for (const message of claimed) launch(message, isRetry, askedAt);
    }
    return after !== '';
  };
}
