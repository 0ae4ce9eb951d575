import type { DeliveryFilter, DeliveryStateName } from '@waiver-service/api';
import { idAfter, idBefore } from '@waiver-service/database';
import type { DestinationKind } from '@waiver-service/outbox';
import { isInJournal, isSending } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import { inPools } from '../pools/in-pools.ts';

/** Alerts and e-mail to guests are listed only if requested by kind or by destination. */
function ofKind(
  column: RawBuilder<DestinationKind>,
  { kind, destination }: DeliveryFilter,
): RawBuilder<boolean> {
  if (kind !== undefined) return sql`${column} = ${kind}`;
  return destination === undefined ? sql`${column} not in ('alert', 'invitation')` : sql`true`;
}

/**
 * The conditions of a filter on a delivery `d`, except the state.
 *
 * @param deliveryId its id, in the table whose index the list reads.
 */
export function filterConditions(
  filter: DeliveryFilter,
  deliveryId: RawBuilder<string>,
): RawBuilder<boolean> {
  const { pools, destination, waiverId, since, until } = filter;
  const conditions: RawBuilder<boolean>[] = [inPools(sql`d.pool`, pools)];
  conditions.push(ofKind(sql`d.kind`, filter));
  if (destination !== undefined) {
    // No index begins with the destination. The index of its pool finds few others.
    conditions.push(
      sql`d.destination = ${destination} and d.pool = (select pool from destination where id = ${destination})`,
    );
  }
  if (waiverId !== undefined) {
    conditions.push(
      sql`d.waiver_id = ${waiverId} and d.pool = (select pool from waiver_id where id = ${waiverId})`,
    );
  }
  if (since !== undefined) {
    conditions.push(sql`d.created_at >= ${since} and ${deliveryId} >= ${idBefore(since)}::uuid`);
  }
  if (until !== undefined) {
    conditions.push(sql`d.created_at < ${until} and ${deliveryId} <= ${idAfter(until)}::uuid`);
  }
  return sql.join(conditions, sql` and `);
}

/** The conditions of a filter on destinations `t`: those that do not match need not be searched. */
export function destinationConditions(filter: DeliveryFilter): RawBuilder<boolean> {
  const { pools, destination } = filter;
  const conditions: RawBuilder<boolean>[] = [inPools(sql`t.pool`, pools), ofKind(sql`t.kind`, filter)];
  if (destination !== undefined) conditions.push(sql`t.id = ${destination}`);
  return sql.join(conditions, sql` and `);
}

/** Whether a delivery waits for a closed destination `t`: it will be recorded as cancelled. */
export const isBeingCancelled: RawBuilder<boolean> = sql`(
  t.cancelling and p.id is not null and not ${isInJournal(sql`p.id`)})`;

/** The condition of a shown state on a delivery, with its destination and {@link pendingAndEnded} joined. */
export function stateCondition(state: DeliveryStateName | undefined): RawBuilder<boolean> {
  switch (state) {
    case undefined:
      return sql`true`;
    case 'sending':
      return isSending;
    case 'held':
      return sql`t.status = 'paused' and p.id is not null and not ${isInJournal(sql`p.id`)}`;
    case 'waiting':
      return sql`t.status = 'active' and p.id is not null and not ${isInJournal(sql`p.id`)}`;
    case 'delivered':
      return sql`p.id is null and e.id is null`;
    case 'superseded':
      return sql`e.state = 'superseded' and not ${isInJournal(sql`e.id`)}`;
    case 'dead':
    case 'cancelled':
      return sql`e.state = ${sql.lit(state)}`;
  }
}
