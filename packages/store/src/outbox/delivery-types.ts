import type { Warning } from '@waiver-service/core';
import type { DestinationKind } from '../database/tables-outbox.ts';

/** The cause of an attempt. */
export type AttemptTrigger = 'schedule' | 'manual' | 'probe' | 'test';

/**
 * The outcome of one attempt. `own-fault`: it was not the partner's doing, and most often nothing was sent.
 * `nothing-written`: the booking system has no place for anything of the waiver. `postponed`: there was no attempt, because
 * the booking system's limits left no request for it; it is not logged.
 */
export type AttemptOutcome =
  | 'accepted'
  | 'nothing-written'
  | 'refused'
  | 'in-doubt'
  | 'own-fault'
  | 'postponed';

/** A message with everything that a sender needs. */
export interface OutboundMessage {
  readonly id: string;
  readonly pool: string;
  readonly destination: string;
  readonly orderingKey: string;
  readonly kind: DestinationKind;
  readonly waiverId: string;
  readonly version: number;
  readonly bookingId: string | null;
  readonly body: string;
  /** Attempts used before this one. */
  readonly attempts: number;
  /** Whether an earlier attempt may have arrived although no answer came. */
  readonly inDoubt: boolean;
  /** Faults of ours in a row before this attempt. */
  readonly faults: number;
  /** Whether the last call to the destination failed. */
  readonly failing: boolean;
  /**
   * Changes with whatever the destination is sent to by: a webhook endpoint, or an installation and its booking
   * system. Left out by what was not claimed.
   */
  readonly settingsVersion?: string;
  readonly trigger: AttemptTrigger;
}

/** A message that this process has claimed. */
export interface ClaimedDelivery extends OutboundMessage {
  /** Which lane: destination and ordering key. Two lanes may have the same number; then one waits for the other. */
  readonly lane: number;
  readonly shard: number;
  /** The claim that took it. */
  readonly batch: number;
}

/** One line of the log of attempts. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The first 4 KiB of the answer. */
  readonly response?: string | undefined;
  /** The parts that were not written; few and short. */
  readonly warnings?: readonly Warning[] | undefined;
  readonly trigger: AttemptTrigger;
}

/** The consequence of an attempt for its delivery. */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead' }
  /** Nothing was written, nor would be at another attempt; the reason is shown with the delivery. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  /** Sent again after the wait; `usesAttempt` is false for a probe. */
  | { readonly kind: 'retry'; readonly waitMs: number; readonly usesAttempt: boolean }
  /** Given back after a fault of ours, at a shutdown, or where it was postponed: no attempt is used. */
  | { readonly kind: 'release'; readonly waitMs: number };

/** The consequence for a message whose attempt was never recorded. */
export type LossDecision = Extract<DeliveryDecision, { kind: 'dead' }> | { kind: 'retry'; waitMs: number };

/** An attempt that is to be recorded, with what it leads to. */
export interface FinishedDelivery extends Pick<ClaimedDelivery, 'id' | 'pool' | 'destination' | 'batch'> {
  readonly decision: DeliveryDecision;
  /** Whether this attempt may have arrived although no answer came; `undefined` where nothing was sent. */
  readonly inDoubt: boolean | undefined;
  readonly attempt: AttemptRecord;
}
