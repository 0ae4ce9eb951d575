import type { Warning } from '@waiver-service/core';
import type { DestinationKind } from '../database/tables-outbox.ts';

/** What made a try happen. */
export type AttemptTrigger = 'schedule' | 'manual' | 'probe' | 'test';

/**
 * What came of one try. `own-fault`: it was not the partner's doing, and most often nothing was sent.
 * `nothing-written`: the booking system has no place for anything of the waiver.
 */
export type AttemptOutcome = 'accepted' | 'nothing-written' | 'refused' | 'in-doubt' | 'own-fault';

/** Which lane, under which lease. */
export interface LaneLease {
  readonly pool: string;
  readonly destination: string;
  readonly orderingKey: string;
  /** Fences: whoever holds another token changes nothing. */
  readonly leaseToken: string;
}

/** A delivery that is this process's to send, with everything that the sender needs. */
export interface ClaimedDelivery extends LaneLease {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly waiverId: string;
  readonly version: number;
  readonly bookingId: string | null;
  readonly body: string;
  /** Tries used before this one. */
  readonly attempts: number;
  /** Whether an earlier try may have arrived although no answer came. */
  readonly inDoubt: boolean;
  /** Faults of ours in a row before this try. */
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

/** One line of the log of tries. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The first 4 KiB of the answer. */
  readonly response?: string | undefined;
  /** What of it was not written; few and short. */
  readonly warnings?: readonly Warning[] | undefined;
  readonly trigger: AttemptTrigger;
}

/** What a try leads to. */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead' }
  /** Nothing was written, nor would be at another try; the reason is shown with the delivery. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  /** Sent again after the wait; `usesTry` is false for a probe. */
  | { readonly kind: 'retry'; readonly waitMs: number; readonly usesTry: boolean }
  /** Given back after a fault of ours, or at a shutdown: no try is used. */
  | { readonly kind: 'release'; readonly waitMs: number };

/** A try that is to be recorded, with what it leads to. */
export interface FinishedDelivery extends LaneLease {
  readonly id: string;
  readonly decision: DeliveryDecision;
  /** Whether this try may have arrived although no answer came; `undefined` where nothing was sent. */
  readonly inDoubt: boolean | undefined;
  readonly attempt: AttemptRecord;
}
