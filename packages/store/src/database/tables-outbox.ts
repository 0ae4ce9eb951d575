import type { DestinationKind } from '@waiver-service/waivers';
import type { ColumnType, Generated } from 'kysely';

export type { DestinationKind };

/** Whether a destination is sent to. */
export type DestinationStatus = 'active' | 'paused' | 'closed';

/** An installation or a webhook endpoint, as the outbox sees it. */
export interface DestinationTable {
  id: string;
  pool: string;
  kind: DestinationKind;
  status: DestinationStatus;
  paused_by: 'failures' | 'person' | null;
  next_probe_at: Date | null;
  /** A `Retry-After` asked that nothing is sent before. */
  held_until: Date | null;
  /** Which of the 64 shards it belongs to, for good. */
  shard: Generated<number>;
  /** The row of `request_budget` that counts its requests; null if they are not limited. */
  request_budget: string | null;
  /** Counts how often fewer answers were allowed to it than before. */
  permission_version: Generated<number>;
  /** Closed, and what waited for it is not yet cancelled. */
  cancelling: Generated<boolean>;
  /** The unit by which new messages are ordered. */
  write_unit: Generated<'waiver' | 'booking'>;
  /** The unit that takes its place once nothing waits; null if it is not to change. */
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

/** One outbound message. Does not change, but for answers that are withdrawn and the order that a reopening gives it. */
export interface DeliveryTable {
  pool: string;
  id: string;
  destination: string;
  kind: DestinationKind;
  ordering_key: string;
  waiver_id: string;
  version: number;
  booking_id: string | null;
  /** The `deleted: true` for a booking that the record has left: never superseded. */
  takeback: boolean;
  /** The destination's, when the body was made: where that has grown, the body may hold more than may leave. */
  permission_version: Generated<number>;
  body: string;
  created_at: Date;
}

/** A message that is still to be sent: it waits, or is being sent where a journal names it. */
export interface PendingTable {
  destination: string;
  id: string;
  pool: string;
  ordering_key: string;
  /** A hash of destination and ordering key: which lane, for those who need not tell apart two that collide. */
  lane: ColumnType<number, never, never>;
  /** Grows along a lane. */
  sequence: number;
  waiver_id: string;
  booking_id: string | null;
  takeback: boolean;
  due_at: Date;
  /** Whether it was attempted before. */
  retrying: Generated<boolean>;
  /** Whether a person asked for the next attempt. */
  manual: Generated<boolean>;
  /** Whether an attempt may have arrived although no answer came. */
  in_doubt: Generated<boolean>;
  /** Attempts used. */
  attempts: Generated<number>;
  /** Leases in a row that ran out while it was being sent. */
  lost_leases: Generated<number>;
  /** Faults of ours in a row. */
  faults: Generated<number>;
}

/** A message that ended without having been delivered. */
export interface EndedTable {
  id: string;
  pool: string;
  state: 'dead' | 'superseded' | 'cancelled';
  /** Why it ended without having been sent. */
  reason: string | null;
  attempts: Generated<number>;
  /** Where one that was superseded stood, in case its last attempt comes into doubt. */
  sequence: number | null;
}

/** A process that sends. */
export interface DispatcherTable {
  id: string;
  lease_until: Date;
  /** Claims of an earlier epoch take nothing. */
  claim_epoch: Generated<number>;
}

/** One of the 64 parts of all destinations. */
export interface ShardTable {
  id: number;
  owner: string | null;
  /** Its owner claims nothing more of it and gives it up when what is in flight has ended. */
  draining: Generated<boolean>;
}

/** One claim: the ids that it took, less those known to have ended. */
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

/** A job that sends deliveries again. */
export interface RecoveryTable {
  id: string;
  pool: string | null;
  destination: string | null;
  delivery_state: 'dead' | 'delivered' | 'superseded';
  since: Date;
  until: Date;
  state: Generated<'running' | 'done'>;
  /** Deliveries up to this id were looked at. */
  reopened_to: string;
  /** Those up to this id are counted in `total`; null where all are. */
  counted_to: string | null;
  recovered: Generated<number>;
  total: Generated<number>;
  created_at: Generated<Date>;
}

/** Which PostgreSQL cluster counted the transactions of `waiver.changed_in`; one row. */
export interface ChangeClockTable {
  /** Another one whenever the transactions were counted anew. */
  era: string;
  system_identifier: string;
}

/** The tables of what goes out. Those of waivers are written in SQL alone: see `waivers/waiver-columns.ts`. */
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
