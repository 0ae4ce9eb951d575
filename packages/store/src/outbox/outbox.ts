import type { StoreContext } from '../store-context.ts';
import { claim, claimProbes } from './claim.ts';
import { countLanes } from './count-lanes.ts';
import {
  type DestinationHealth,
  type PauseChange,
  type PausePolicy,
  recordHealth,
} from './destination-health.ts';
import { balanceShards, expireLeases, registerDispatcher, renewLease } from './dispatchers.ts';
import { findWork } from './find-work.ts';
import { type DestinationHold, holdDestinations } from './hold-destinations.ts';
import { deleteBatches, returnClaims, voidLostClaims } from './journal.ts';
import { makeDue } from './make-due.ts';
import { pruneAttempts } from './prune-attempts.ts';
import { recordAttempts } from './record-attempts.ts';
import { takeFirstRequests } from './take-first-requests.ts';
import { giveUp, takeOver } from './take-over.ts';
import { type Withdrawal, withdrawalOf } from './withdrawals.ts';

/** Called after commits on any host. */
export interface OutboxListener {
  /** There may be something to send. */
  onWake(): void;
  /** Part of a claimed message was withdrawn; undefined if it may be any, since notifications may have been lost. */
  onWithdrawn?(withdrawal: Withdrawal | undefined): void;
  /** Shards are free, or must be rebalanced. */
  onShardsChanged?(): void;
}

/** The outbox for dispatchers. Several hosts can use it on one database at once. */
export interface Outbox extends ReturnType<typeof createOutbox> {}

/**
 * Creates the part of the store for dispatchers. Its functions are documented where they are defined.
 *
 * @param onPruned - called with the number of attempts that were removed
 */
export function createOutbox(
  { database, notifications }: StoreContext,
  onPruned: (attempts: number) => void,
) {
  return {
    registerDispatcher: registerDispatcher.bind(undefined, database),
    renewLease: renewLease.bind(undefined, database),
    expireLease: (dispatcher: string) => expireLeases(database, dispatcher),
    balanceShards: balanceShards.bind(undefined, database),
    findWork: findWork.bind(undefined, database),
    takeFirstRequests: takeFirstRequests.bind(undefined, database),
    claim: claim.bind(undefined, database),
    claimProbes: claimProbes.bind(undefined, database),
    takeOver: takeOver.bind(undefined, database),
    giveUp: giveUp.bind(undefined, database),
    returnClaims: returnClaims.bind(undefined, database),
    deleteBatches: deleteBatches.bind(undefined, database),
    voidLostClaims: voidLostClaims.bind(undefined, database),
    countLanes: countLanes.bind(undefined, database),

    record: recordAttempts.bind(undefined, database),

    async hold(holds: readonly DestinationHold[]): Promise<void> {
      if (holds.length === 0) return;
      await holdDestinations(database, holds);
      notifications.announce('setups');
    },

    /** Also makes the messages of resumed destinations due. */
    async recordHealth(health: readonly DestinationHealth[], policy: PausePolicy): Promise<PauseChange[]> {
      const changes = await recordHealth(database, health, policy);
      for (const { destination, change } of changes) {
        if (change === 'resumed') await makeDue(database, destination);
      }
      return changes;
    },

    async pruneAttempts(retentionMs: number, limit: number): Promise<number> {
      const count = await pruneAttempts(database, retentionMs, limit);
      onPruned(count);
      return count;
    },

    /** Calls the listener after commits; `onWake` is only a hint in addition to polling. */
    listen({ onWake, onWithdrawn, onShardsChanged }: OutboxListener): { close(): Promise<void> } {
      const stops = [
        notifications.listen('outbox', () => onWake()),
        notifications.listen('withdrawals', (payload) => onWithdrawn?.(withdrawalOf(payload))),
        notifications.listen('shards', () => onShardsChanged?.()),
      ];
      return {
        async close() {
          for (const stop of stops) stop();
          // It will miss later withdrawals.
          onWithdrawn?.(undefined);
        },
      };
    },
  };
}
