import type { DeliveryDetail, DeliveryFilter, DeliveryItem, DeliveryStateName } from '@waiver-service/api';
import {
  decodeUuidCursor,
  encodeCursor,
  idAfter,
  idBefore,
  omitNulls,
  type Page,
  type PageRequest,
  pageOf,
  type RowOf,
} from '@waiver-service/database';
import {
  type DestinationKind,
  isInJournal,
  isSending,
  pendingAndEnded,
  shownState,
  stateOfDelivery,
} from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { ownersOf } from '../destinations/destinations.ts';
import { inPools } from '../pools/pools.ts';

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
function filterConditions(filter: DeliveryFilter, deliveryId: RawBuilder<string>): RawBuilder<boolean> {
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
function destinationConditions(filter: DeliveryFilter): RawBuilder<boolean> {
  const { pools, destination } = filter;
  const conditions: RawBuilder<boolean>[] = [inPools(sql`t.pool`, pools), ofKind(sql`t.kind`, filter)];
  if (destination !== undefined) conditions.push(sql`t.id = ${destination}`);
  return sql.join(conditions, sql` and `);
}

/** Whether a delivery waits for a closed destination `t`: it will be recorded as cancelled. */
const isBeingCancelled: RawBuilder<boolean> = sql`(
  t.cancelling and p.id is not null and not ${isInJournal(sql`p.id`)})`;

/** The condition of a shown state on a delivery, with its destination and {@link pendingAndEnded} joined. */
function stateCondition(state: DeliveryStateName | undefined): RawBuilder<boolean> {
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

/** One delivery as it is stored; for a waiting delivery, as the next attempt would send it. */
export interface StoredDelivery extends Omit<DeliveryDetail, 'body' | 'redacted'> {
  /** The JSON text that is sent. */
  readonly body: string;
}

// As JSON: PostgreSQL would fail the whole list for a name that it cannot hold as text.
const waiverOfDelivery = sql`from waiver g where g.pool = d.pool and g.id = d.waiver_id`;
const maxNameLength = 200;

/** A row of {@link itemColumns}. */
export interface ItemRow extends Omit<RowOf<DeliveryItem>, 'guestName'> {
  readonly guestNameJson: string | null;
}

/** The columns of an {@link ItemRow}, for a delivery `d` with {@link stateOfDelivery} joined. */
export const itemColumns: RawBuilder<ItemRow> = sql`
d.id, d.kind, ${shownState} as state, d.pool, d.destination, d.waiver_id, d.version,
d.created_at, ${ownersOf(sql`d.destination`)},
coalesce(d.booking_id, (select g.booking_id ${waiverOfDelivery})) as booking_id,
(select (g.answers::json -> 'name')::text ${waiverOfDelivery} and g.erasure is null) as guest_name_json`;

/** The delivery of a row. */
export function itemOfRow({ guestNameJson, ...row }: ItemRow): DeliveryItem {
  const name: unknown = guestNameJson === null ? null : JSON.parse(guestNameJson);
  return {
    ...omitNulls(row, 'bookingSystem', 'webhook', 'bookingId'),
    guestName: typeof name === 'string' && name !== '' ? name.slice(0, maxNameLength) : null,
  };
}

/** The most failed deliveries that a page examines, whatever else they have to match. */
const maxScanned = 1_000;

/**
 * Finds the newest deliveries with a failed attempt that matches a filter, and whether older ones are left.
 *
 * @param before the id to continue before.
 */
async function findFailed(
  database: Database,
  { errorCode, status, since, until }: DeliveryFilter,
  before: string | undefined,
): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }> {
  const conditions: RawBuilder<boolean>[] = [sql`a.error_code is not null`];
  if (errorCode !== undefined) conditions.push(sql`a.error_code = ${errorCode}`);
  if (status !== undefined) conditions.push(sql`a.status = ${status}::integer`);
  if (since !== undefined) conditions.push(sql`a.delivery >= ${idBefore(since)}::uuid`);
  if (until !== undefined) conditions.push(sql`a.delivery <= ${idAfter(until)}::uuid`);
  if (before !== undefined) conditions.push(sql`a.delivery < ${before}::uuid`);
  const { rows } = await sql<{ id: string }>`
select a.delivery as id from attempt a where ${sql.join(conditions, sql` and `)}
group by a.delivery order by a.delivery desc limit ${maxScanned}::integer`.execute(database);
  return { ids: rows.map(({ id }) => id), hasMore: rows.length === maxScanned };
}

/** The conditions of the filter and the cursor, except the state, on a delivery whose id is in the given column. */
type Conditions = (deliveryId: RawBuilder<string>) => RawBuilder<boolean>;

/** The pending messages of a destination `t`, newest first, as deliveries `d`. */
const pendingOf = (state: RawBuilder<boolean>, conditions: Conditions, limit: number) => sql`
cross join lateral (
  select d.* from pending p join delivery d on d.id = p.id and d.pool = p.pool
  where p.destination = t.id and ${state} and ${conditions(sql`p.id`)}
  order by p.id desc limit ${limit}::integer) d`;

/**
 * The source of a page. Waiting deliveries are read destination by destination, those being sent from the journal,
 * ended ones from `ended`, so that a page costs the same even if thousands are held elsewhere or millions were
 * delivered.
 */
function source(filter: DeliveryFilter, conditions: Conditions, limit: number): RawBuilder<unknown> {
  const state = stateCondition(filter.state);
  switch (filter.state) {
    case 'sending':
      return sql`from (select distinct u.id from journal j cross join unnest(j.ids) u (id)) s
        join delivery d on d.id = s.id ${stateOfDelivery} where ${state} and ${conditions(sql`d.id`)}`;
    case 'waiting':
    case 'held':
      return sql`from destination t ${pendingOf(state, conditions, limit)} ${pendingAndEnded}
        where ${destinationConditions(filter)}`;
    case 'cancelled':
      return sql`from (
        (select d.* from ended e join delivery d on d.id = e.id and d.pool = e.pool
          where ${state} and ${conditions(sql`e.id`)} order by e.id desc limit ${limit}::integer)
        union all
        (select d.* from destination t ${pendingOf(isBeingCancelled, conditions, limit)}
        where t.cancelling and ${destinationConditions(filter)} order by d.id desc limit ${limit}::integer)) d ${stateOfDelivery}`;
    case 'dead':
    case 'superseded':
      return sql`from (
        select d.* from ended e join delivery d on d.id = e.id and d.pool = e.pool
        where ${state} and ${conditions(sql`e.id`)} order by e.id desc limit ${limit}::integer) d ${stateOfDelivery}`;
    default: {
      const { pools = [], destination, waiverId } = filter;
      const found = (more: RawBuilder<unknown>) =>
        sql`from delivery d ${stateOfDelivery} where ${state} and ${conditions(sql`d.id`)} ${more}`;
      if (pools.length < 2 || destination !== undefined || waiverId !== undefined) return found(sql``);
      // The index of a pool's deliveries reads one pool in the list's order, but not several.
      return sql`from unnest(${[...pools]}::text[]) k (pool) cross join lateral (
        select d.* ${found(sql`and d.pool = k.pool order by d.id desc limit ${limit}::integer`)}) d ${stateOfDelivery}`;
    }
  }
}

/** One more than the limit shows that there is a next page. */
async function readItems(database: Database, from: RawBuilder<unknown>, limit: number) {
  const { rows } = await sql<ItemRow>`
select ${itemColumns} ${from}
order by d.id desc limit ${limit + 1}::integer`.execute(database);
  return rows.map(itemOfRow);
}

const pageOfItems = (rows: readonly DeliveryItem[], limit: number): Page<DeliveryItem> =>
  pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (item) => item,
  );

/** A page of deliveries by their errors. May have fewer items than the limit, even none, and still have a `next`. */
async function listFailed(
  database: Database,
  filter: DeliveryFilter,
  conditions: Conditions,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<Page<DeliveryItem>> {
  const { ids, hasMore } = await findFailed(database, filter, before);
  const rows = await readItems(
    database,
    sql`from unnest(${[...ids]}::uuid[]) f (id) join delivery d on d.id = f.id ${stateOfDelivery}
      where ${stateCondition(filter.state)} and ${conditions(sql`d.id`)}`,
    limit,
  );
  const last = ids.at(-1);
  if (rows.length > limit || !hasMore || last === undefined) return pageOfItems(rows, limit);
  return { items: rows, next: encodeCursor([last]) };
}

/** Deliveries, newest first. @throws MalformedCursor */
export async function listDeliveries(
  database: Database,
  filter: DeliveryFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<DeliveryItem>> {
  const before = decodeUuidCursor(cursor);
  const conditions: Conditions = (deliveryId) => {
    const position = before === undefined ? sql`true` : sql`${deliveryId} < ${before}::uuid`;
    return sql`${filterConditions(filter, deliveryId)} and ${position}`;
  };
  if (filter.errorCode !== undefined || filter.status !== undefined)
    return listFailed(database, filter, conditions, { limit, before });
  return pageOfItems(await readItems(database, source(filter, conditions, limit + 1), limit), limit);
}
