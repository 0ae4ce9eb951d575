import { type RawBuilder, sql } from 'kysely';
import type { RecoveryTable } from '../database/tables-outbox.ts';
import { idAfter } from './ids-of-times.ts';

/** Which deliveries are sent again. */
export interface RecoverRequest {
  readonly pool?: string | undefined;
  readonly destination?: string | undefined;
  /** Dead letters, where nothing else is said. */
  readonly state?: RecoveryTable['delivery_state'] | undefined;
  /** Made at this time or later. */
  readonly since: Date;
  /** Made before this time; before now, where it is not given. */
  readonly until?: Date | undefined;
}

/** How far a recovery has come. */
export interface Recovery {
  readonly id: string;
  /** The pool that it is limited to. */
  readonly pool?: string;
  readonly state: 'running' | 'done';
  /** Deliveries that were opened again. */
  readonly recovered: number;
  /**
   * Deliveries that were found: fewer are opened where a newer version waits already, or the destination is gone. Grows
   * for a moment at the beginning, while they are counted.
   */
  readonly total: number;
  readonly createdAt: Date;
}

/** A recovery as far as its batches need it. */
export type RunningRecovery = Pick<
  RecoveryTable,
  'id' | 'pool' | 'destination' | 'delivery_state' | 'since' | 'until' | 'reopened_to' | 'counted_to'
>;

/**
 * The next deliveries of a recovery, in the order of their ids: CTEs `scanned` and `matching (id)`, not more than the
 * limits. Of several versions of a waiver for one destination and booking that match, only the newest is one: it is
 * what goes out, and it goes out once.
 */
export function recoveryPage(
  recovery: RunningRecovery,
  after: string,
  limits: { readonly scanned: number; readonly matching: number },
): RawBuilder<unknown> {
  const { pool, destination, delivery_state, since, until } = recovery;
  // Spelt out, so that PostgreSQL sees that the index of what has ended is enough; the delivered ones are nearly all.
  const state = sql.lit(delivery_state);
  const isOfState = delivery_state === 'delivered' ? sql`true` : sql`d.state = ${state}`;
  return sql`
scanned as materialized (
  select d.pool, d.id, d.destination, d.waiver_id, d.booking_id, d.version, d.state, d.created_at from delivery d
  where ${isOfState} and d.id > ${after}::uuid and d.id <= ${idAfter(until)}::uuid
  order by d.id limit ${limits.scanned}::integer),
matching as materialized (
  select d.id from scanned d
  where d.state = ${state} and d.created_at >= ${since} and d.created_at < ${until}
    and ${pool === null ? sql`true` : sql`d.pool = ${pool}`}
    and ${destination === null ? sql`true` : sql`d.destination = ${destination}`}
    and not exists (
      select from delivery n
      where n.pool = d.pool and n.waiver_id = d.waiver_id and n.version > d.version and n.destination = d.destination
        and n.booking_id is not distinct from d.booking_id
        and n.state = ${state} and n.created_at >= ${since} and n.created_at < ${until})
  order by d.id limit ${limits.matching}::integer)`;
}
