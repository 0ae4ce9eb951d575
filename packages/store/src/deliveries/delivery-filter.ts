import { type RawBuilder, sql } from 'kysely';
import type { DestinationKind } from '../database/tables-outbox.ts';
import { idAfter, idBefore } from './ids-of-times.ts';
import { type DeliveryStateName, isInFlight } from './shown-state.ts';

/** Which deliveries are listed. */
export interface DeliveryFilter {
  readonly pool?: string | undefined;
  readonly kind?: DestinationKind | undefined;
  readonly state?: DeliveryStateName | undefined;
  readonly destination?: string | undefined;
  readonly waiverId?: string | undefined;
  /** Made at this time or later. */
  readonly since?: Date | undefined;
  /** Made before this time. */
  readonly until?: Date | undefined;
}

/** Whether a text is the id of a delivery at all: PostgreSQL would refuse another as a fault. */
export const isDeliveryId = (id: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id);

/** The conditions on a delivery `d` that all lists share; the state is not among them. */
export function filterConditions(filter: DeliveryFilter): RawBuilder<boolean> {
  const { pool, kind, destination, waiverId, since, until } = filter;
  const conditions: RawBuilder<boolean>[] = [];
  if (pool !== undefined) conditions.push(sql`d.pool = ${pool}`);
  if (kind !== undefined) conditions.push(sql`d.kind = ${kind}`);
  if (destination !== undefined) conditions.push(sql`d.destination = ${destination}`);
  if (waiverId !== undefined) {
    conditions.push(
      sql`d.waiver_id = ${waiverId} and d.pool = (select pool from waiver_id where id = ${waiverId})`,
    );
  }
  if (since !== undefined) {
    conditions.push(sql`d.created_at >= ${since} and d.id >= ${idBefore(since)}::uuid`);
  }
  if (until !== undefined) {
    conditions.push(sql`d.created_at < ${until} and d.id <= ${idAfter(until)}::uuid`);
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Whether a delivery `d` waits, as the index of what waits for a destination has it (`delivery_waiting`). */
export const isListedAsWaiting: RawBuilder<boolean> = sql`d.state = 'waiting' and d.sequence > 0`;

/** Whether a delivery `d` waits for a destination `t` that was closed, and is to be put down as cancelled. */
export const isBeingCancelled: RawBuilder<boolean> = sql`(
  t.cancelling and ${isListedAsWaiting} and ${isInFlight} is not true)`;

/** The condition of a shown state on a delivery `d`, its lane `l` and its destination `t`. */
export function stateCondition(state: DeliveryStateName | undefined): RawBuilder<boolean> {
  if (state === undefined) return sql`true`;
  if (state === 'sending') return sql`d.state = 'waiting' and ${isInFlight}`;
  if (state === 'held')
    return sql`${isListedAsWaiting} and t.status = 'paused' and ${isInFlight} is not true`;
  if (state === 'waiting') {
    return sql`${isListedAsWaiting} and t.status = 'active' and ${isInFlight} is not true`;
  }
  return sql`d.state = ${sql.lit(state)}`;
}
