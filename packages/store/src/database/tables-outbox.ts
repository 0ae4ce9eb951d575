import type { DestinationKind } from '@waiver-service/waivers';
import type { Generated } from 'kysely';

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
  /** Counts how often fewer answers were allowed to it than before. */
  permission_version: Generated<number>;
  /** Closed, and what waited for it is not yet cancelled. */
  cancelling: Generated<boolean>;
  /** What the messages that are enqueued now are ordered by. */
  write_unit: Generated<'waiver' | 'booking'>;
  /** What they are to be ordered by as soon as nothing waits; null where that is the same. */
  next_write_unit: 'waiver' | 'booking' | null;
  failing_since: Date | null;
  consecutive_failures: Generated<number>;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure_code: string | null;
  last_failure_status: number | null;
  created_at: Generated<Date>;
}

/** How much may be sent to a destination in a time. */
export interface RequestLimitTable {
  destination: string;
  requests: number;
  window_ms: number;
  /** When what was taken may be taken again, and how much of it each time. */
  back_at: Generated<Date[]>;
  taken: Generated<number[]>;
}

/** The state that is stored. `sending` and `held` are `waiting` seen with its lane and its destination. */
export type StoredDeliveryState = 'waiting' | 'delivered' | 'dead' | 'superseded' | 'cancelled';

/** One outbound message. */
export interface DeliveryTable {
  pool: string;
  id: string;
  destination: string;
  kind: DestinationKind;
  ordering_key: string;
  sequence: number;
  waiver_id: string;
  version: number;
  booking_id: string | null;
  /** The `deleted: true` for a booking that the record has left: never superseded. */
  takeback: boolean;
  /** The destination's, when the body was made: where that has grown, the body may hold more than may leave. */
  permission_version: Generated<number>;
  body: string;
  state: StoredDeliveryState;
  attempts: Generated<number>;
  in_doubt: Generated<boolean>;
  /** Why it ended without having been sent. */
  reason: string | null;
  created_at: Date;
}

/** Deliveries of one destination and one ordering key, sent in order and one at a time. */
export interface LaneTable {
  pool: string;
  destination: string;
  ordering_key: string;
  state: 'idle' | 'ready' | 'leased';
  due_at: Date;
  /** Whether the delivery that is next was tried before. */
  retrying: boolean;
  /** Whether a person asked for the next try. */
  manual: boolean;
  last_sequence: number;
  /** What waits has a higher sequence; the lane is idle where this is the last one. */
  done_sequence: number;
  /** The delivery that is in flight, or that is tried again next. */
  current: string | null;
  /** Leases in a row that ran out. */
  lost_leases: number;
  /** Faults of ours in a row. */
  faults: number;
  lease_token: string | null;
  lease_until: Date | null;
  leased_at: Date | null;
}

/** The log of tries. */
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
  request_limit: RequestLimitTable;
  delivery: DeliveryTable;
  lane: LaneTable;
  attempt: AttemptTable;
  recovery: RecoveryTable;
  change_clock: ChangeClockTable;
}
