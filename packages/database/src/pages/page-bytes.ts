import { type Expression, type RawBuilder, sql } from 'kysely';
import { encodeCursor } from './cursor.ts';
import type { Page } from './page.ts';

/** Bounds the memory that one page of large rows takes. */
export const maxPageBytes = 4 * 1024 * 1024;

/** A row of {@link limitPageBytes}. */
export interface PagedRow {
  /** Whether there is a next page. */
  readonly more: boolean;
}

export interface PageBytesOptions {
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
