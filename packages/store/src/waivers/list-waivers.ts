import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { idsOfBooking } from '../bookings/booking-ids.ts';
import type { Database } from '../database/database.ts';
import { decodeCursor, decodeTime, encodeCursor } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { limitPageBytes, type PagedRow, pageOfBytes } from '../pages/page-bytes.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-columns.ts';
import { hasState, type WaiverState } from './waiver-state.ts';

/** Which records a list has. */
export interface WaiverFilter {
  readonly bookingId?: string | undefined;
  /** Only records changed at or after this time. */
  readonly updatedSince?: Date | undefined;
  readonly state?: WaiverState | undefined;
}

/** A list of records by their last change. */
export interface WaiverListRequest extends PageRequest, WaiverFilter {
  /** The oldest change first, unless told otherwise. */
  readonly order?: 'oldest' | 'newest' | undefined;
}

interface Position {
  readonly updatedAt: Date;
  readonly id: string;
}

// Held records are few, and no index has them. A page looks at no more than these, so that none takes long.
const maxLookedAt = 10_000;

function positionOf(cursor: string): Position {
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  return { updatedAt: decodeTime(time), id };
}

const partsOf = ({ updatedAt, id }: Position) => [updatedAt.toISOString(), id];

/** The waivers `w` of a booking, by whichever id they were signed; of all booking systems that have one of that id. */
export function isOfBooking(pool: string, bookingId: string): RawBuilder<boolean> {
  const ids = idsOfBooking({
    pool: sql`i.pool`,
    bookingSystem: sql`i.booking_system`,
    bookingId: sql`${bookingId}::text`,
  });
  const others = sql`
    from installation i cross join lateral (${ids}) o where i.pool = ${pool} and o.id <> ${bookingId}`;
  return sql`(w.booking_id = any (array(select ${bookingId}::text union all select o.id ${others}))
    and (w.booking_id = ${bookingId} or (w.booking_system, w.booking_id) in (select i.booking_system, o.id ${others})))`;
}

/** The conditions of a filter on waivers `w` of a pool. */
export function conditionsOf(
  pool: string,
  { bookingId, updatedSince, state }: WaiverFilter,
): readonly RawBuilder<unknown>[] {
  return [
    sql`w.pool = ${pool} and w.erasure is null`,
    ...(bookingId === undefined ? [] : [isOfBooking(pool, bookingId)]),
    ...(updatedSince === undefined ? [] : [sql`w.updated_at >= ${updatedSince}`]),
    ...(state === undefined ? [] : [hasState[state]]),
  ];
}

/** The position of the last record that a page may look at; undefined if there are fewer. */
async function lastLookedAt(
  database: Database,
  conditions: readonly RawBuilder<unknown>[],
  direction: RawBuilder<unknown>,
): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
select w.updated_at as "updatedAt", w.id from waiver w where ${sql.join(conditions, sql` and `)}
order by w.updated_at ${direction}, w.id ${direction} offset ${maxLookedAt - 1} limit 1`.execute(database);
  return rows[0];
}

/**
 * Lists a pool's records by their last change. A page of held records may have fewer than its limit, even none, and still
 * a next. A record that changes meanwhile moves towards the end. A record whose
 * transaction commits late can appear before a position that was already read; to miss none, follow the changes
 * instead.
 */
export async function listWaivers(
  database: Database,
  pool: string,
  { cursor, limit, order = 'oldest', ...filter }: WaiverListRequest,
): Promise<Page<WaiverRecord>> {
  const [comes, isUpTo, direction] =
    order === 'oldest' ? [sql`>`, sql`<=`, sql`asc`] : [sql`<`, sql`>=`, sql`desc`];
  const conditions = [...conditionsOf(pool, { ...filter, state: undefined })];
  if (cursor !== undefined) {
    const { updatedAt, id } = positionOf(cursor);
    conditions.push(sql`(w.updated_at, w.id) ${comes} (${updatedAt}, ${id})`);
  }
  const { state } = filter;
  const end = state === 'held' ? await lastLookedAt(database, conditions, direction) : undefined;
  if (end !== undefined) {
    conditions.push(sql`(w.updated_at, w.id) ${isUpTo} (${end.updatedAt}, ${end.id})`);
  }
  if (state !== undefined) conditions.push(hasState[state]);
  const found = sql`
select w.* from waiver w where ${sql.join(conditions, sql` and `)}
order by w.updated_at ${direction}, w.id ${direction} limit ${limit + 1}`;
  const fitting = limitPageBytes(found, {
    order: sql`r.updated_at ${direction}, r.id ${direction}`,
    bytes: rowBytes,
    limit,
  });
  const { rows } = await sql<WaiverRow & PagedRow>`
select ${waiverColumns}, w.more from (${fitting}) w order by w.page_place`.execute(database);
  const page = pageOfBytes(rows, partsOf, ({ more, ...row }) => recordOf(row));
  return page.next === null && end !== undefined ? { ...page, next: encodeCursor(partsOf(end)) } : page;
}
