import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { decodeIdCursor, MalformedCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import {
  type DeliveryFilter,
  filterConditions,
  isBeingCancelled,
  isDeliveryId,
  stateCondition,
} from './delivery-filter.ts';
import { type DeliveryItem, itemColumns } from './delivery-item.ts';
import { laneAndDestination } from './shown-state.ts';

const laneOfDelivery = sql`l.destination = d.destination and l.ordering_key = d.ordering_key and l.pool = d.pool`;

/**
 * The rows that a page is taken from. What waits is looked for destination by destination, what is in flight from the
 * leased lanes, what is being cancelled at closed destinations, so that a page costs the same whether thousands are
 * held elsewhere or millions were delivered.
 *
 * @param conditions those of the filter and of the position, but for the state.
 */
function source(filter: DeliveryFilter, conditions: RawBuilder<boolean>, most: number): RawBuilder<unknown> {
  const state = stateCondition(filter.state);
  if (filter.state === 'sending') {
    return sql`from lane l join delivery d on d.id = l.current and d.pool = l.pool
      join destination t on t.id = d.destination where l.state = 'leased' and ${state} and ${conditions}`;
  }
  if (filter.state === 'waiting' || filter.state === 'held') {
    return sql`from destination t cross join lateral (
      select d.* from delivery d left join lane l on ${laneOfDelivery}
      where d.destination = t.id and ${state} and ${conditions} order by d.id desc limit ${most}::integer) d
      left join lane l on ${laneOfDelivery}`;
  }
  if (filter.state === 'cancelled') {
    return sql`from (
      (select d.* from delivery d where ${state} and ${conditions} order by d.id desc limit ${most}::integer)
      union all
      (select d.* from destination t cross join lateral (
        select d.* from delivery d left join lane l on ${laneOfDelivery}
        where d.destination = t.id and ${isBeingCancelled} and ${conditions}
        order by d.id desc limit ${most}::integer) d
      where t.cancelling order by d.id desc limit ${most}::integer)) d ${laneAndDestination}`;
  }
  return sql`from delivery d ${laneAndDestination} where ${state} and ${conditions}`;
}

/** Deliveries, newest first. @throws MalformedCursor */
export async function listDeliveries(
  database: Database,
  filter: DeliveryFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<DeliveryItem>> {
  const before = cursor === undefined ? undefined : decodeIdCursor(cursor);
  if (before !== undefined && !isDeliveryId(before)) throw new MalformedCursor();
  const position = before === undefined ? sql<boolean>`true` : sql<boolean>`d.id < ${before}::uuid`;
  const conditions = sql<boolean>`${filterConditions(filter)} and ${position}`;
  const { rows } = await sql<DeliveryItem>`
select ${itemColumns} ${source(filter, conditions, limit + 1)}
order by d.id desc limit ${limit + 1}::integer`.execute(database);
  return pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (item) => item,
  );
}
