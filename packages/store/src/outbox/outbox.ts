import type { StoreContext } from '../store-context.ts';
import {
  type ClaimRequest,
  claimLanes,
  claimProbes,
  type DestinationShare,
  type ProbeRequest,
} from './claim-lanes.ts';
import { countLanes, type LaneCount } from './count-lanes.ts';
import type { ClaimedDelivery, FinishedDelivery, LaneLease } from './delivery-types.ts';
import {
  type DestinationHealth,
  type PauseChange,
  type PausePolicy,
  recordHealth,
} from './destination-health.ts';
import { extendLeases } from './extend-leases.ts';
import { findWork, type WorkFound } from './find-work.ts';
import { finishDeliveries } from './finish-deliveries.ts';
import { giveBack } from './give-back.ts';
import { hastenLanes } from './hasten-lanes.ts';
import { type DestinationHold, holdDestinations } from './hold-destinations.ts';
import { pruneAttempts } from './prune-attempts.ts';
import { reclaimLanes } from './reclaim-lanes.ts';
import { type GrantedShare, takeRequests } from './take-requests.ts';
import type { OutboxListener, WakeChannel } from './wake-channel.ts';

/** What waits to be sent. `packages/delivery` is its only user; several hosts may use it on one database at once. */
export interface Outbox {
  /** See {@link findWork}. */
  findWork(after: string): Promise<WorkFound>;
  /** See {@link takeRequests}. */
  takeRequests(shares: readonly DestinationShare[], retrying: boolean): Promise<GrantedShare[]>;
  /** See {@link claimLanes}. */
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]>;
  /** See {@link claimProbes}. */
  claimProbes(request: ProbeRequest): Promise<ClaimedDelivery[]>;
  /** See {@link finishDeliveries}. */
  finish(finished: readonly FinishedDelivery[]): Promise<ReadonlyMap<string, boolean>>;
  /** See {@link giveBack}. */
  giveBack(leases: readonly LaneLease[]): Promise<void>;
  /** See {@link holdDestinations}. */
  hold(holds: readonly DestinationHold[]): Promise<void>;
  /** See {@link recordHealth}. What waits at a resumed destination becomes due. */
  recordHealth(health: readonly DestinationHealth[], policy: PausePolicy): Promise<PauseChange[]>;
  /** See {@link extendLeases}. */
  extendLeases<Lease extends LaneLease>(leases: readonly Lease[], leaseMs: number): Promise<Lease[]>;
  /** See {@link reclaimLanes}. */
  reclaim(retryScheduleMs: readonly number[]): Promise<number>;
  /** See {@link countLanes}. */
  countLanes(): Promise<LaneCount[]>;
  /** See {@link pruneAttempts}. */
  pruneAttempts(retentionMs: number, limit: number): Promise<number>;
  /** Calls back when something may have to be sent, where the poll is the truth all the same, and at withdrawals. */
  listen(listener: OutboxListener): { close(): Promise<void> };
}

/** Makes the part of the store that the dispatcher uses. */
export function createOutbox({ database }: StoreContext, wakeChannel: WakeChannel): Outbox {
  return {
    findWork: (after) => findWork(database, after),
    takeRequests: (shares, retrying) => takeRequests(database, shares, retrying),
    claim: (request) => claimLanes(database, request),
    claimProbes: (request) => claimProbes(database, request),
    finish: (finished) => finishDeliveries(database, finished),
    giveBack: (leases) => giveBack(database, leases),
    hold: (holds) => holdDestinations(database, holds),
    async recordHealth(health, policy) {
      const changes = await recordHealth(database, health, policy);
      for (const { destination, change } of changes) {
        if (change === 'resumed') await hastenLanes(database, destination);
      }
      return changes;
    },
    extendLeases: (leases, leaseMs) => extendLeases(database, leases, leaseMs),
    reclaim: (schedule) => reclaimLanes(database, schedule),
    countLanes: () => countLanes(database),
    pruneAttempts: (retentionMs, limit) => pruneAttempts(database, retentionMs, limit),
    listen: (listener) => wakeChannel.listen(listener),
  };
}
