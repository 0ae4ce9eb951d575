import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { type DeliveryItem, itemColumns } from './delivery-item.ts';
import { stateOfDelivery } from './shown-state.ts';

/** Deliveries that may have changed. */
export interface ChangedDeliveries {
  readonly ids: readonly string[];
  /** The ids of waivers, whose newest deliveries are meant. */
  readonly waivers: readonly string[];
}

// A change of a waiver makes one for each destination, and supersedes as many.
const maxPerWaiver = 24;

/** Deliveries as they are now, newest first. */
export async function readChangedDeliveries(
  database: Database,
  { ids, waivers }: ChangedDeliveries,
): Promise<DeliveryItem[]> {
  if (ids.length + waivers.length === 0) return [];
  const { rows } = await sql<DeliveryItem>`${prepared}
with named as materialized (
  select u.id from unnest(${[...ids]}::uuid[]) u (id)
  union
  select d.id from unnest(${[...waivers]}::text[]) k (waiver)
  cross join lateral (
    select d.id from delivery d
    where d.pool = (select w.pool from waiver_id w where w.id = k.waiver) and d.waiver_id = k.waiver
    order by d.version desc limit ${maxPerWaiver}::integer) d)
select ${itemColumns} from named n
cross join lateral (select d.* from delivery d where d.id = n.id and d.kind <> 'alert' offset 0) d
${stateOfDelivery}
order by d.id desc`.execute(database);
  return rows;
}
