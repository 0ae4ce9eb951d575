import type { WaiverState, WaiverVersion } from '@waiver-service/api';
import {
  decodeCursor,
  decodeTime,
  limitPageBytes,
  MalformedCursor,
  omitNulls,
  type Page,
  type PagedRow,
  type PageRequest,
  pageOfBytes,
} from '@waiver-service/database';
import type { AnswerChange, FieldChange, WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { idsOfBooking } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-rows.ts';

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

interface Row extends PagedRow {
  readonly version: number;
  readonly formerVersion: number;
  readonly at: Date;
  readonly actor: string | null;
  readonly actorName: string | null;
  readonly fields: readonly FieldChange[] | null;
  readonly answers: Readonly<Record<string, AnswerChange>> | null;
}

function versionBefore(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [version = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,9}$/.test(version)) throw new MalformedCursor();
  return Number(version);
}

const versionOf = ({ more: _, fields, answers, ...row }: Row): WaiverVersion => ({
  ...omitNulls(row, 'actor', 'actorName'),
  fields: [...(fields ?? [])],
  answers: Object.entries(answers ?? {}).map(([name, change]) => ({ name, ...change })),
});

/**
 * Lists the versions of a waiver, newest first, except those stored by builds that did not record versions.
 *
 * @throws MalformedCursor
 */
export async function versionsOf(
  database: Database,
  pool: string,
  id: string,
  { cursor, limit }: PageRequest,
): Promise<Page<WaiverVersion>> {
  const before = versionBefore(cursor);
  const found = sql`
select v.* from waiver_version v
where v.pool = ${pool} and v.waiver_id = ${id} and (${before}::integer is null or v.version < ${before}::integer)
order by v.version desc limit ${limit + 1}`;
  const page = limitPageBytes(found, {
    order: sql`r.version desc`,
    bytes: sql`coalesce(octet_length(r.answer_changes), 0) + coalesce(octet_length(r.field_changes), 0) + 256`,
    limit,
  });
  const { rows } = await sql<Row>`
select v.version, v.former_version, v.at, v.actor, coalesce(v.actor_name, t.name) as actor_name,
  v.field_changes::json as fields, v.answer_changes::json as answers, v.more
from (${page}) v left join access_token t on 'access-token:' || t.id = v.actor
order by v.version desc`.execute(database);
  return pageOfBytes(rows, ({ version }) => [String(version)], versionOf);
}
