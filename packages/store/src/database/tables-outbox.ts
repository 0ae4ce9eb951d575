import type { DestinationKind as GuestDestinationKind } from '@waiver-service/waivers';
import type { ColumnType, Generated } from 'kysely';

/** The kind of messages that a destination receives: about guests, or alerts for operators. */
export type DestinationKind = GuestDestinationKind | 'alert';

/** Whether a destination is sent to. */
export type DestinationStatus = 'active' | 'paused' | 'closed';

/** An installation, a webhook endpoint or an alert as the target of deliveries. */
export interface DestinationTable {
  id: string;
  /** Empty for an alert, which belongs to no pool. */
  pool: string;
  kind: DestinationKind;
  status: DestinationStatus;
  paused_by: 'failures' | 'person' | null;
  next_probe_at: Date | null;
  /** Nothing is sent before, because of a `Retry-After`. */
  held_until: Date | null;
  /** Nothing is sent before, because the booking system does not renew the authorization. */
  unauthorized_until: Date | null;
  /** Its shard, one of 64; never changes. */
  shard: Generated<number>;
  /** The row of `request_budget` that counts its requests; null if they are not limited. */
  request_budget: string | null;
  /** Incremented each time that fewer answers are allowed than before. */
  permission_version: Generated<number>;
  /** Whether it is closed and its messages are not yet cancelled. */
  cancelling: Generated<boolean>;
  /** The unit by which new messages are ordered. */
  write_unit: Generated<'waiver' | 'booking'>;
  /** The unit to use once nothing waits; null if it is not to change. */
  next_write_unit: 'waiver' | 'booking' | null;
  failing_since: Date | null;
  consecutive_failures: Generated<number>;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure_code: string | null;
  last_failure_status: number | null;
  created_at: Generated<Date>;
}

/** How many requests may be made to an installation, or to all of a booking system's, and how many were. */
export interface RequestBudgetTable {
  id: string;
  /** The most in each window. */
  requests: number[];
  window_ms: number[];
  /** When (milliseconds since 1970) requests come back, to the window of which length, and how many. */
  back_ms: Generated<number[]>;
  back_window_ms: Generated<number[]>;
  taken: Generated<number[]>;
  /** A request that is not to wait for others waits until then: nothing is begun before it. */
  urgent_until_ms: Generated<number>;
}

/** An outbound message. Immutable except for withdrawn answers and the sequence that a reopening gives it. */
export interface DeliveryTable {
  pool: string;
  id: string;
  destination: string;
  kind: DestinationKind;
  ordering_key: string;
  waiver_id: string;
  version: number;
  booking_id: string | null;
  /** Whether it is the `deleted: true` for a booking that the record has left, which is never superseded. */
  takeback: boolean;
  /**
   * The destination's version when the body was created: if that has grown, the body may contain more than may be sent.
   */
  permission_version: Generated<number>;
  body: string;
  created_at: Date;
}

/** A message to be sent: it waits, or is being sent if a journal contains it. */
export interface PendingTable {
  destination: string;
  id: string;
  pool: string;
  ordering_key: string;
  /** A hash of destination and ordering key: identifies the lane where a collision does no harm. */
  lane: ColumnType<number, never, never>;
  /** Grows along a lane. */
  sequence: number;
  waiver_id: string;
  booking_id: string | null;
  takeback: boolean;
  due_at: Date;
  /** Whether it was attempted before. */
  retrying: Generated<boolean>;
  /** Whether an operator asked for the next attempt. */
  manual: Generated<boolean>;
  /** Whether an attempt may have arrived although there was no response. */
  in_doubt: Generated<boolean>;
  /** The number of attempts used. */
  attempts: Generated<number>;
  /** The number of leases in a row that expired while it was being sent. */
  lost_leases: Generated<number>;
  /** The number of faults of the service in a row. */
  faults: Generated<number>;
}

/** A message that ended without being delivered. */
export interface EndedTable {
  id: string;
  pool: string;
  state: 'dead' | 'superseded' | 'cancelled';
  /** Why it ended without being sent. */
  reason: string | null;
  attempts: Generated<number>;
  /** The sequence of a superseded message, in case its last attempt comes into doubt. */
  sequence: number | null;
}

/** A sending process. */
export interface DispatcherTable {
  id: string;
  lease_until: Date;
  /** Claims of an earlier epoch are void. */
  claim_epoch: Generated<number>;
}

/** One of the 64 parts of all destinations. */
export interface ShardTable {
  id: number;
  owner: string | null;
  /** Whether its owner claims nothing more from it, to give it up when nothing is in flight. */
  draining: Generated<boolean>;
}

/** A claim: the ids that it took, except those known to have ended. */
export interface JournalTable {
  batch: Generated<number>;
  dispatcher: string;
  at: Generated<Date>;
  ids: string[];
}

/** The log of attempts. */
export interface AttemptTable {
  pool: string;
  delivery: string;
  at: Date;
  duration_ms: number;
  outcome: string;
  status: number | null;
  error_code: string | null;
  response: string | null;
  /** JSON. */
  warnings: string | null;
  trigger: string;
}

/** A job that retries deliveries. */
export interface RecoveryTable {
  id: string;
  /** Null: all. */
  pools: string[] | null;
  destination: string | null;
  delivery_state: 'dead' | 'delivered' | 'superseded';
  since: Date;
  until: Date;
  state: Generated<'running' | 'done'>;
  /** Deliveries up to this id were processed. */
  reopened_to: string;
  /** Those up to this id are counted in `total`; null where all are. */
  counted_to: string | null;
  recovered: Generated<number>;
  total: Generated<number>;
  created_at: Generated<Date>;
}

/** The PostgreSQL cluster that numbered the transactions of `waiver.changed_in`; one row. */
export interface ChangeClockTable {
  /** Changes whenever transactions are numbered by another cluster. */
  era: string;
  system_identifier: string;
}

/** The tables of the outbox. Those of waivers are used in SQL only: see `waivers/waiver-columns.ts`. */
export interface OutboxTables {
  destination: DestinationTable;
  request_budget: RequestBudgetTable;
  delivery: DeliveryTable;
  pending: PendingTable;
  ended: EndedTable;
  dispatcher: DispatcherTable;
  shard: ShardTable;
  journal: JournalTable;
  attempt: AttemptTable;
  recovery: RecoveryTable;
  change_clock: ChangeClockTable;
}
