import type { WaiverState } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import {
  decodeCursor,
  decodeTime,
  limitPageBytes,
  type PagedRow,
  pageOfBytes,
} from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { idsOfBooking } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-columns.ts';

/**
 * Whether a waiver `w` has a state. The index `waiver_not_signed` serves `unfinished` and `voided`, `waiver_held` serves
 * `held`.
 */
const hasState: Readonly<Record<WaiverState, RawBuilder<boolean>>> = {
  signed: sql`not w.deleted and w.current_page is null`,
  unfinished: sql`not w.deleted and w.current_page is not null`,
  voided: sql`w.deleted`,
  held: sql`w.hold_reason is not null`,
};

/** Which records a list contains. */
export interface WaiverFilter {
  readonly bookingId?: string | undefined;
  /** Only records changed at or after this time. */
  readonly updatedSince?: Date | undefined;
  readonly state?: WaiverState | undefined;
}

/** A list of records by their last change. */
export interface WaiverListRequest extends PageRequest, WaiverFilter {
  /** Default: the oldest change first. */
  readonly order?: 'oldest' | 'newest' | undefined;
}

interface Position {
  readonly updatedAt: Date;
  readonly id: string;
}

function positionOf(cursor: string): Position {
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  return { updatedAt: decodeTime(time), id };
}

const partsOf = ({ updatedAt, id }: Position) => [updatedAt.toISOString(), id];

/** The waivers `w` of a booking, under any of its ids, in every booking system that has a booking with this id. */
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

/**
 * Lists a pool's records by their last change. A record that changes meanwhile moves towards the end. A record whose
 * transaction commits late can appear before a position that was already read; to miss none, follow the changes
 * instead.
 */
export async function listWaivers(
  database: Database,
  pool: string,
  { cursor, limit, order = 'oldest', ...filter }: WaiverListRequest,
): Promise<Page<WaiverRecord>> {
  const [comes, direction] = order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const conditions = [...conditionsOf(pool, filter)];
  if (cursor !== undefined) {
    const { updatedAt, id } = positionOf(cursor);
    conditions.push(sql`(w.updated_at, w.id) ${comes} (${updatedAt}, ${id})`);
  }
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
  return pageOfBytes(rows, partsOf, ({ more, ...row }) => recordOf(row));
}
