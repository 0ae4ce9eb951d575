import { isInTimeRange } from '@waiver-service/waivers';
import { type Expression, type RawBuilder, sql } from 'kysely';

const dayMs = 86_400_000;

// Ids are UUIDs version 7: they begin with the time, so a time bounds them.
function idAt(time: number): string {
  const hex = Math.min(Math.max(0, time), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Before the first id of a time, with a day of slack for clocks that differ. */
export const idBefore = (time: Date) => idAt(time.getTime() - dayMs);

/** After the last id of a time, with the same slack. */
export const idAfter = (time: Date) => idAt(time.getTime() + dayMs);

/** Less than every id: where a scan of all of them begins. */
export const beforeFirstId = '00000000-0000-0000-0000-000000000000';

/** Whether a text is a UUID; PostgreSQL rejects anything else. */
export const isUuid = (id: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id);

export interface Page<Item> {
  readonly items: Item[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export interface PageRequest {
  /** 1 to 100, checked by the caller. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A cursor that did not come from the `next` of this list. */
export class MalformedCursor extends Error {
  override readonly name = 'MalformedCursor';
  constructor() {
    super('the cursor is not one that this list gave out');
  }
}

// Two ids of 256 bytes, in the worst case of JSON escaping and base64.
const maxLength = 8_192;

/** Encodes the position after which the next page starts, as opaque text that is safe in a URL. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * @param length - the number of parts of the position
 * @throws MalformedCursor
 */
export function decodeCursor(cursor: string, length: number): string[] {
  if (cursor.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw new MalformedCursor();
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new MalformedCursor();
  }
  if (!Array.isArray(position) || position.length !== length) throw new MalformedCursor();
  return position.map((part: unknown) => {
    // PostgreSQL rejects both as text.
    if (typeof part !== 'string' || part.includes('\u0000') || !part.isWellFormed())
      throw new MalformedCursor();
    return part;
  });
}

/** Decodes the cursor of a list ordered by id only. @throws MalformedCursor */
export function decodeIdCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (id === undefined) throw new MalformedCursor();
  return id;
}

/** Decodes the cursor of a list ordered by UUIDs; undefined for the first page. @throws MalformedCursor */
export function decodeUuidCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = decodeIdCursor(cursor);
  if (!isUuid(id)) throw new MalformedCursor();
  return id;
}

/**
 * The id after which a page begins, in a list ordered by id; `''` for the first page.
 *
 * @throws MalformedCursor
 */
export const idOfCursor = (cursor: string | undefined): string =>
  cursor === undefined ? '' : decodeIdCursor(cursor);

/** Decodes a time that `toISOString` wrote, in the range that can be stored. @throws MalformedCursor */
export function decodeTime(text: string): Date {
  const time = new Date(text);
  if (!isInTimeRange(time.getTime()) || time.toISOString() !== text) throw new MalformedCursor();
  return time;
}

/**
 * @param rows - at most `limit + 1`: the extra row shows that there is a next page
 * @param positionOf - a row's position, for the cursor
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), next: hasMore ? encodeCursor(positionOf(last)) : null };
}

/** {@link pageOf} for items ordered by id. */
export const pageById = <Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item> =>
  pageOf(
    items,
    limit,
    ({ id }) => [id],
    (item) => item,
  );

/** Bounds the memory that one page of large rows takes. */
export const maxPageBytes = 4 * 1024 * 1024;

/** A row of {@link limitPageBytes}. */
export interface PagedRow {
  /** Whether there is a next page. */
  readonly more: boolean;
}

interface PageBytesOptions {
  /** The list's `order by`. */
  readonly order: RawBuilder<unknown>;
  /** The size of one row. `octet_length` does not detoast: large values are not read to measure them. */
  readonly bytes: RawBuilder<number>;
  readonly limit: number;
}

/**
 * Selects the rows of one page: at most `limit` rows and {@link maxPageBytes}. The first row is always included, so that
 * a list gets past an oversized row. Rows that do not fit are not read.
 *
 * @param rows - selects at most `limit + 1` rows in the list's order
 */
export function limitPageBytes(
  rows: Expression<unknown>,
  { order, bytes, limit }: PageBytesOptions,
): RawBuilder<unknown> {
  return sql`
select p.*, p.rows_found > count(*) over () as more from (
  select r.*, row_number() over list as page_place, count(*) over () as rows_found,
    sum(${bytes}) over list as page_bytes
  from (${rows}) r window list as (order by ${order} rows unbounded preceding)) p
where p.page_place <= ${limit}::integer and (p.page_place = 1 or p.page_bytes <= ${maxPageBytes}::bigint)
order by p.page_place`;
}

/** @param positionOf - a row's position, for the cursor */
export function pageOfBytes<Row extends PagedRow, Item>(
  rows: readonly Row[],
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const last = rows.at(-1);
  return { items: rows.map(itemOf), next: last?.more ? encodeCursor(positionOf(last)) : null };
}
