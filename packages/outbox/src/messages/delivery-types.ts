import type { Warning } from '@waiver-service/core';
import type { DestinationKind as GuestDestinationKind } from '@waiver-service/waivers';

/** The kind of messages that a destination receives: about guests, alerts for operators, or e-mail to guests. */
export type DestinationKind = GuestDestinationKind | 'alert' | 'invitation';

/** The cause of an attempt. */
export type AttemptTrigger = 'schedule' | 'manual' | 'probe' | 'test';

/**
 * The outcome of one attempt. `own-fault`: the service's fault, not the partner's; usually nothing was sent.
 * `nothing-written`: the booking system has no place for any part of the waiver. `postponed`: not attempted, because the
 * booking system's limits left no request for it; not logged.
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
  /** Whether an earlier attempt may have arrived although there was no response. */
  readonly inDoubt: boolean;
  /** The number of consecutive faults of the service before this attempt. */
  readonly faults: number;
  /** Whether the last call to the destination failed. */
  readonly failing: boolean;
  /**
   * The version of the destination's configuration: of the webhook endpoint, or of the installation and its booking
   * system. Absent if the message was not claimed.
   */
  readonly settingsVersion?: string;
  readonly trigger: AttemptTrigger;
}

/** A message that this process has claimed. */
export interface ClaimedDelivery extends OutboundMessage {
  /** The install name; null if the destination is not a booking system. */
  readonly bookingSystem: string | null;
  /**
   * Identifies the lane: a hash of destination and ordering key. If the hashes of two lanes collide, one waits for the
   * other.
   */
  readonly lane: number;
  readonly shard: number;
  /** The claim that took it. */
  readonly batch: number;
  /** Its place in the order of its lane; unique among waiting messages. */
  readonly sequence: number;
  /** Where its row is found as long as it does not change: its `ctid`. */
  readonly rowId: string;
}

/** One entry of the log of attempts. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The first 4 KiB of the response. */
  readonly response?: string | undefined;
  /** The parts that were not written; few and short. */
  readonly warnings?: readonly Warning[] | undefined;
  readonly trigger: AttemptTrigger;
}

/** The consequence of an attempt for its delivery. */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead' }
  /** Nothing was written, and a retry would not change that. The reason is shown with the delivery. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  /** Sent again after the wait; `usesAttempt` is false for a probe. */
  | { readonly kind: 'retry'; readonly waitMs: number; readonly usesAttempt: boolean }
  /**
   * Returned to the queue after a fault of ours, at a shutdown, or because it was postponed: no attempt is used.
   * `bookingId`: its booking's own id, to whose lane it moves.
   */
  | { readonly kind: 'release'; readonly waitMs: number; readonly bookingId?: string | undefined };

/** The consequence for a message whose attempt was never recorded. */
export type LossDecision = Extract<DeliveryDecision, { kind: 'dead' }> | { kind: 'retry'; waitMs: number };

/** An attempt to record, with its consequence. */
export interface FinishedDelivery
  extends Pick<ClaimedDelivery, 'id' | 'pool' | 'destination' | 'batch' | 'sequence' | 'rowId'> {
  readonly decision: DeliveryDecision;
  /** Whether this attempt may have arrived although there was no response; `undefined` if nothing was sent. */
  readonly inDoubt: boolean | undefined;
  readonly attempt: AttemptRecord;
}
