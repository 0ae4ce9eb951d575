import type {
  ClaimedDelivery,
  DestinationShare,
  DestinationWork,
  GrantedShare,
  Outbox,
} from '@waiver-service/store';
import { type PlannedClaim, planClaims, retrySlots } from '../policy/claim-plan.ts';
import { allotSlots } from '../policy/pool-shares.ts';
import type { CallTimes } from './call-times.ts';
import type { Flights } from './flights.ts';

/** When a message was claimed, and how it is to be sent. */
export interface ClaimedHow {
  readonly isRetry: boolean;
  /** Before the claim, by `performance.now()`. */
  readonly askedAt: number;
  /** See `Flight.beginBy`. */
  readonly beginBy: number;
}

/** What a claimer is made with. */
export interface ClaimerOptions {
  readonly outbox: Pick<Outbox, 'findWork' | 'takeRequests' | 'claim' | 'claimProbes'>;
  readonly flights: Flights;
  readonly callTimes: Pick<CallTimes, 'isSlow'>;
  /** Messages in flight in this process. */
  readonly concurrency: number;
  /** Messages that may be claimed before there is a slot for them. */
  readonly ahead: number;
  readonly destinationConcurrency: number;
  readonly probeIntervalMs: number;
  readonly leaseMs: number;
  /** Given what was claimed. */
  readonly take: (message: ClaimedDelivery, how: ClaimedHow) => void;
}

/** What came of a claim. */
export interface ClaimRound {
  readonly claimed: number;
  /** More may be due: than there was room for, than was looked at, or than was free while other hosts claimed too. */
  readonly left: boolean;
}

// Probes are an hour apart; to look for them at every claim would be for nothing.
const probeLookEveryMs = 1_000;
// While a claim gets all that it has room for, what was found is still there.
const workKeptMs = 250;

/** Makes the function that claims as much as there is room for. */
export function createClaimer(options: ClaimerOptions): () => Promise<ClaimRound> {
  const { outbox, flights, callTimes, concurrency, ahead, destinationConcurrency } = options;
  const { probeIntervalMs, leaseMs, take } = options;
  let after = '';
  let work: readonly DestinationWork[] = [];
  let workUntil = Number.NEGATIVE_INFINITY;
  let probesLookedAt = Number.NEGATIVE_INFINITY;

  const room = (isRetry: boolean) =>
    Math.min(
      concurrency + ahead - flights.waiting - flights.sending,
      isRetry ? retrySlots(concurrency) - flights.retries : Number.POSITIVE_INFINITY,
    );
  const freeSlots = (destination: string) => destinationConcurrency - (flights.busy.get(destination) ?? 0);

  async function claimProbes(): Promise<void> {
    const askedAt = performance.now();
    const limit = room(true);
    if (limit <= 0 || askedAt - probesLookedAt < Math.min(probeLookEveryMs, probeIntervalMs)) return;
    probesLookedAt = askedAt;
    const beginBy = Number.POSITIVE_INFINITY;
    for (const message of await outbox.claimProbes({ limit, probeIntervalMs, leaseMs })) {
      take(message, { isRetry: true, askedAt, beginBy });
    }
  }

  async function lookForWork(): Promise<void> {
    const found = await outbox.findWork(after);
    after = found.after;
    work = found.work;
    workUntil = performance.now() + workKeptMs;
  }

  /** What limited destinations still allow. */
  async function takeRequests(
    shares: readonly DestinationShare[],
    { retrying, limit }: { readonly retrying: boolean; readonly limit: number },
  ): Promise<readonly GrantedShare[]> {
    let left = limit;
    const asked: DestinationShare[] = [];
    for (const { destination, slots } of shares) {
      if (left <= 0) break;
      asked.push({ destination, slots: Math.min(slots, left) });
      left -= slots;
    }
    return asked.length === 0 ? [] : outbox.takeRequests(asked, retrying);
  }

  async function claim({ shares, retrying, isRetry }: PlannedClaim): Promise<number> {
    const limit = room(isRetry);
    if (limit <= 0) return 0;
    const workOf = new Map(work.map((each) => [each.destination, each]));
    // A destination may stand in two claims: what the first took is no longer free.
    const wanted = shares.map(({ destination }) => ({
      destination,
      pool: workOf.get(destination)?.pool ?? '',
      slots: freeSlots(destination),
      isSlow: callTimes.isSlow(destination),
    }));
    const free = allotSlots(wanted, flights.slowRoomOf);
    const isLimited = (destination: string) => workOf.get(destination)?.limited === true;
    const takenAt = performance.now();
    const granted = await takeRequests(
      free.filter(({ destination }) => isLimited(destination)),
      { retrying, limit },
    );
    const beginBy = new Map(
      granted.map(({ destination, sendWithinMs }) => [destination, takenAt + sendWithinMs]),
    );
    // Limited ones go first, since what was taken is spent.
    const open = [...granted, ...free.filter(({ destination }) => !isLimited(destination))];
    const askedAt = performance.now();
    const claimed = await outbox.claim({ shares: open, limit, retrying, leaseMs });
    for (const message of claimed) {
      take(message, {
        isRetry,
        askedAt,
        beginBy: beginBy.get(message.destination) ?? Number.POSITIVE_INFINITY,
      });
    }
    return claimed.length;
  }

  async function claimFromWork(): Promise<number> {
    let claimed = 0;
    for (const planned of planClaims(work, { busy: flights.busy, destinationConcurrency }, Math.random)) {
      claimed += await claim(planned);
    }
    return claimed;
  }

  return async () => {
    const limit = room(false);
    if (limit <= 0) return { claimed: 0, left: true };
    await claimProbes();
    let claimed = performance.now() < workUntil ? await claimFromWork() : 0;
    if (claimed < limit) {
      await lookForWork();
      claimed += await claimFromWork();
    }
    if (claimed < limit) workUntil = Number.NEGATIVE_INFINITY;
    return { claimed, left: claimed > 0 || work.length > 0 || after !== '' };
  };
}
