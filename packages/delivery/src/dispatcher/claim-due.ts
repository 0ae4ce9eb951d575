import type {
  ClaimedDelivery,
  ClaimingDispatcher,
  DestinationShare,
  DestinationWork,
  GrantedShare,
  Outbox,
} from '@waiver-service/outbox';
import {
  allotSlots,
  type CallTimes,
  type PlannedClaim,
  planClaims,
  retrySlots,
} from '../policy/claim-plan.ts';
import type { InFlight } from './in-flight.ts';

/** How claims are made. */
export interface ClaimOptions {
  readonly outbox: Pick<Outbox, 'findWork' | 'takeFirstRequests' | 'claim' | 'claimProbes'>;
  /** Claimed messages are added to it. */
  readonly inFlight: InFlight;
  readonly callTimes: Pick<CallTimes, 'isSlow'>;
  /** The maximum number of messages being sent by this process. */
  readonly concurrency: number;
  /** The maximum number of messages claimed before there is a slot for them. */
  readonly ahead: number;
  readonly destinationConcurrency: number;
  readonly probeIntervalMs: number;
}

/** The result of a round of claims. */
interface ClaimRound {
  /** Whether another round may claim more at once: this one filled the room, or did not look at everything. */
  readonly mayClaimMore: boolean;
  /** Whether there may be more to claim, beyond the room or what was looked at. */
  readonly left: boolean;
  /** Pools with more due at destinations without a free slot: they must wait until one of their sends ends. */
  readonly fullPools: ReadonlySet<string>;
}

/**
 * Claims as much for a dispatcher as there is room for.
 *
 * @param isOwner whether claimed messages may be sent: false once another dispatcher has taken over.
 */
export type ClaimDue = (by: ClaimingDispatcher, isOwner: () => boolean) => Promise<ClaimRound>;

// Probes are an hour apart: looking for them at every claim would be a waste.
const probeLookEveryMs = 1_000;
// While claims get all that they ask for, the work found earlier is still there.
const workCacheMs = 250;
// The most that one claim takes.
const maxClaimed = 250;
// A claim costs nearly the same however little it takes: while quick sends make room, it waits for more of it.
const minClaimed = 64;

export function createClaimDue(options: ClaimOptions): ClaimDue {
  const { outbox, inFlight, callTimes, concurrency, ahead, destinationConcurrency, probeIntervalMs } =
    options;
  let after = '';
  let work: readonly DestinationWork[] = [];
  let workUntil = Number.NEGATIVE_INFINITY;
  let probesLookedAt = Number.NEGATIVE_INFINITY;

  const room = (isRetry: boolean) =>
    Math.min(
      concurrency + ahead - inFlight.queued - inFlight.sending,
      isRetry ? retrySlots(concurrency) - inFlight.retries : Number.POSITIVE_INFINITY,
    );

  function add(
    claimed: readonly ClaimedDelivery[],
    { claimedAt, isRetry }: { readonly claimedAt: number; readonly isRetry: boolean },
    beginBy: ReadonlyMap<string, number> = new Map(),
  ): void {
    // Aborted together, for they are sent under one lease.
    const abort = new AbortController();
    for (const message of claimed) {
      inFlight.add({
        message,
        isRetry,
        isSlow: callTimes.isSlow(message.destination),
        abort,
        claimedAt,
        beginBy: beginBy.get(message.destination) ?? Number.POSITIVE_INFINITY,
        state: 'queued',
        place: -1,
        isLost: false,
      });
    }
  }

  async function claimProbes(by: ClaimingDispatcher, isOwner: () => boolean): Promise<void> {
    const claimedAt = performance.now();
    const limit = room(true);
    if (limit <= 0 || claimedAt - probesLookedAt < Math.min(probeLookEveryMs, probeIntervalMs)) return;
    probesLookedAt = claimedAt;
    const busyLanes = [...inFlight.busyLanes().values()].flat();
    const claimed = await outbox.claimProbes({ ...by, limit, probeIntervalMs, busyLanes });
    if (isOwner()) add(claimed, { claimedAt, isRetry: true });
  }

  async function findWork({ dispatcher }: ClaimingDispatcher): Promise<void> {
    const found = await outbox.findWork({ dispatcher, after, busyLanes: inFlight.busyLanes() });
    after = found.after;
    work = found.work;
    workUntil = performance.now() + workCacheMs;
  }

  /** Reserves requests at destinations with a request limit. */
  async function takeFirstRequests(
    shares: readonly DestinationShare[],
    { retrying, limit }: { readonly retrying: boolean; readonly limit: number },
  ): Promise<readonly GrantedShare[]> {
    let left = limit;
    const asked: DestinationShare[] = [];
    for (const share of shares) {
      if (left <= 0) break;
      asked.push({ ...share, slots: Math.min(share.slots, left) });
      left -= share.slots;
    }
    return asked.length === 0 ? [] : outbox.takeFirstRequests(asked, retrying);
  }

  /** The slots allotted to each destination. */
  function sharesOf(claim: PlannedClaim, workOf: ReadonlyMap<string, DestinationWork>): DestinationShare[] {
    const lanes = inFlight.busyLanes();
    // A destination may be in two claims: the slots that the first took are no longer free.
    const wanted = claim.shares.map(({ destination }) => ({
      destination,
      pool: workOf.get(destination)?.pool ?? '',
      slots: destinationConcurrency - (inFlight.busy.get(destination) ?? 0),
      isSlow: callTimes.isSlow(destination),
    }));
    // Those with the most free slots first, so that few destinations fill a claim: each costs a few look-ups.
    return allotSlots(wanted, inFlight.slowRoomOf)
      .sort((first, second) => second.slots - first.slots)
      .map((share) => ({ ...share, busyLanes: lanes.get(share.destination) ?? [] }));
  }

  async function claimPlanned(
    planned: PlannedClaim,
    by: ClaimingDispatcher,
    isOwner: () => boolean,
  ): Promise<number> {
    const { retrying, isRetry } = planned;
    const limit = room(isRetry);
    if (limit <= 0) return 0;
    const workOf = new Map(work.map((each) => [each.destination, each]));
    const isLimited = ({ destination }: DestinationShare) => workOf.get(destination)?.limited === true;
    const free = sharesOf(planned, workOf);
    const takenAt = performance.now();
    const granted = await takeFirstRequests(free.filter(isLimited), { retrying, limit });
    const grants = new Map(granted.map((grant) => [grant.destination, grant]));
    const limited = free.flatMap((share) => {
      const slots = grants.get(share.destination)?.slots ?? 0;
      return isLimited(share) && slots > 0 ? [{ ...share, slots }] : [];
    });
    // Limited destinations first, since their requests are already spent.
    const shares = [...limited, ...free.filter((share) => !isLimited(share))];
    const claimedAt = performance.now();
    const claimed = await outbox.claim({ ...by, shares, limit, retrying });
    if (!isOwner()) return 0;
    const beginBy = new Map(
      granted.map(({ destination, sendWithinMs }) => [destination, takenAt + sendWithinMs]),
    );
    add(claimed, { claimedAt, isRetry }, beginBy);
    return claimed.length;
  }

  async function claimFromWork(by: ClaimingDispatcher, isOwner: () => boolean): Promise<number> {
    let claimed = 0;
    const plans = planClaims(work, { busy: inFlight.busy, destinationConcurrency }, Math.random);
    for (const planned of plans) claimed += await claimPlanned(planned, by, isOwner);
    return claimed;
  }

  const isFull = ({ destination, pool }: DestinationWork) =>
    (inFlight.busy.get(destination) ?? 0) >= destinationConcurrency ||
    (callTimes.isSlow(destination) && inFlight.slowRoomOf(pool) <= 0);

  return async (by, isOwner) => {
    const limit = Math.min(room(false), maxClaimed);
    const isWorthwhile = limit >= minClaimed || inFlight.queued < minClaimed || inFlight.sendingQuick === 0;
    if (limit <= 0 || !isWorthwhile) return { mayClaimMore: false, left: true, fullPools: new Set() };
    await claimProbes(by, isOwner);
    let claimed = performance.now() < workUntil ? await claimFromWork(by, isOwner) : 0;
    if (claimed < limit) {
      await findWork(by);
      claimed += await claimFromWork(by, isOwner);
    }
    if (claimed < limit) workUntil = Number.NEGATIVE_INFINITY;
    const full = work.filter(isFull);
    return {
      mayClaimMore: claimed >= limit || (claimed > 0 && after !== ''),
      left: claimed > 0 || work.length > full.length || after !== '',
      fullPools: new Set(full.map(({ pool }) => pool)),
    };
  };
}
