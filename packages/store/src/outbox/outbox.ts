import type { ChangeAnnouncer } from '../events/index.ts';
import type { StoreContext } from '../store-context.ts';
import { type ClaimRequest, claim, claimProbes, type DestinationShare, type ProbeRequest } from './claim.ts';
import { countLanes, type LaneCount } from './count-lanes.ts';
import type { ClaimedDelivery, FinishedDelivery } from './delivery-types.ts';
import {
  type DestinationHealth,
  type PauseChange,
  type PausePolicy,
  recordHealth,
} from './destination-health.ts';
import { balanceShards, expireLeases, registerDispatcher, renewLease } from './dispatchers.ts';
import { findWork, type WorkFound, type WorkRequest } from './find-work.ts';
import { type DestinationHold, holdDestinations } from './hold-destinations.ts';
import { deleteBatches, giveBack, voidLostClaims } from './journal.ts';
import { makeDue } from './make-due.ts';
import { pruneAttempts } from './prune-attempts.ts';
import { recordAttempts } from './record-attempts.ts';
import { type DecideLoss, giveUp, takeOver } from './take-over.ts';
import { type GrantedShare, takeRequests } from './take-requests.ts';
import type { OutboxListener, WakeChannel } from './wake-channel.ts';

/** The outbox for dispatchers. Several hosts can use it on one database at once. */
export interface Outbox {
  /** See {@link registerDispatcher}. */
  registerDispatcher(leaseMs: number): Promise<string>;
  /** See {@link renewLease}. */
  renewLease(dispatcher: string, leaseMs: number): Promise<boolean>;
  /** See {@link expireLeases}. */
  expireLease(dispatcher: string): Promise<void>;
  /** See {@link balanceShards}. */
  balanceShards(dispatcher: string, inUse: readonly number[]): Promise<number>;
  /** See {@link takeOver}. */
  takeOver(decide: DecideLoss): Promise<number>;
  /** See {@link findWork}. */
  findWork(request: WorkRequest): Promise<WorkFound>;
  /** See {@link takeRequests}. */
  takeRequests(shares: readonly DestinationShare[], retrying: boolean): Promise<GrantedShare[]>;
  /** See {@link claim}. */
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]>;
  /** See {@link claimProbes}. */
  claimProbes(request: ProbeRequest): Promise<ClaimedDelivery[]>;
  /** See {@link recordAttempts}. */
  record(dispatcher: string, finished: readonly FinishedDelivery[]): Promise<readonly FinishedDelivery[]>;
  /** See {@link giveUp}. */
  giveUp(
    dispatcher: string,
    lost: { readonly id: string; readonly at: Date; readonly batch: number },
    decide: DecideLoss,
  ): Promise<number>;
  /** See {@link giveBack}. */
  giveBack(dispatcher: string, claimed: readonly Pick<ClaimedDelivery, 'id' | 'batch'>[]): Promise<void>;
  /** See {@link deleteBatches}. */
  deleteBatches(dispatcher: string, batches: readonly number[]): Promise<void>;
  /** See {@link voidLostClaims}. */
  voidLostClaims(dispatcher: string, known: readonly number[]): Promise<number | undefined>;
  /** See {@link holdDestinations}. */
  hold(holds: readonly DestinationHold[]): Promise<void>;
  /** See {@link recordHealth}. What waits at a resumed destination becomes due. */
  recordHealth(health: readonly DestinationHealth[], policy: PausePolicy): Promise<PauseChange[]>;
  /** See {@link countLanes}. */
  countLanes(): Promise<LaneCount[]>;
  /** See {@link pruneAttempts}. */
  pruneAttempts(retentionMs: number, limit: number): Promise<number>;
  /** Calls back when there may be something to send, as a hint in addition to polling, and at withdrawals. */
  listen(listener: OutboxListener): { close(): Promise<void> };
}

/** Creates the part of the store for dispatchers, which announces what it changes. */
export function createOutbox(
  { database }: StoreContext,
  wakeChannel: WakeChannel,
  { changed, requestResync }: ChangeAnnouncer,
  onRecorded: (finished: readonly FinishedDelivery[]) => void,
): Outbox {
  const deliveriesChanged = (deliveries: readonly { readonly id: string }[]) =>
    changed(
      'delivery',
      deliveries.map(({ id }) => id),
    );

  async function announceClaim(claiming: Promise<ClaimedDelivery[]>): Promise<ClaimedDelivery[]> {
    const claimed = await claiming;
    deliveriesChanged(claimed);
    return claimed;
  }

  return {
    registerDispatcher: (leaseMs) => registerDispatcher(database, leaseMs),
    renewLease: (dispatcher, leaseMs) => renewLease(database, dispatcher, leaseMs),
    expireLease: (dispatcher) => expireLeases(database, dispatcher),
    balanceShards: (dispatcher, inUse) => balanceShards(database, dispatcher, inUse),
    async takeOver(decide) {
      const doubted = await takeOver(database, decide);
      if (doubted > 0) requestResync();
      return doubted;
    },
    findWork: (request) => findWork(database, request),
    takeRequests: (shares, retrying) => takeRequests(database, shares, retrying),
    claim: (request) => announceClaim(claim(database, request)),
    claimProbes: (request) => announceClaim(claimProbes(database, request)),
    // Announced even if they fail: without an answer of the database, they may have been committed.
    async record(dispatcher, finished) {
      try {
        const recorded = await recordAttempts(database, dispatcher, finished);
        onRecorded(recorded);
        return recorded;
      } finally {
        deliveriesChanged(finished);
      }
    },
    giveUp: (dispatcher, lost, decide) =>
      giveUp(database, dispatcher, lost, decide).finally(() => deliveriesChanged([lost])),
    giveBack: (dispatcher, claimed) =>
      giveBack(database, dispatcher, claimed).finally(() => deliveriesChanged(claimed)),
    deleteBatches: (dispatcher, batches) => deleteBatches(database, dispatcher, batches),
    voidLostClaims: (dispatcher, known) => voidLostClaims(database, dispatcher, known),
    async hold(holds) {
      await holdDestinations(database, holds);
      changed(
        'destination',
        holds.map(({ destination }) => destination),
      );
    },
    async recordHealth(health, policy) {
      const { changes, affected } = await recordHealth(database, health, policy);
      changed('destination', affected);
      for (const { destination, change } of changes) {
        if (change === 'resumed') await makeDue(database, destination);
      }
      return changes;
    },
    countLanes: () => countLanes(database),
    pruneAttempts: (retentionMs, limit) => pruneAttempts(database, retentionMs, limit),
    listen: (listener) => wakeChannel.listen(listener),
  };
}
