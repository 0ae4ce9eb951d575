import { type Expression, type RawBuilder, sql } from 'kysely';
import { encodeCursor } from './cursor.ts';
import type { Page } from './page.ts';

/** Most bytes of the rows of one page, so that a list of large rows takes bounded memory. */
export const maxPageBytes = 4 * 1024 * 1024;

/** The columns that {@link limitPageBytes} adds to a row. */
export interface PagedRow {
  /** Whether the list goes on after the page that the row is on. */
  readonly more: boolean;
}

/** What {@link limitPageBytes} needs to know of a list. */
export interface PageBytesOptions {
  /** The columns that order `rows`, as in `order by`. */
  readonly order: RawBuilder<unknown>;
  /** The bytes of one row. `octet_length` does not read a value that is stored apart. */
  readonly bytes: RawBuilder<number>;
  readonly limit: number;
}

/**
 * A select of the rows of one page: at most `limit`, and no more than {@link maxPageBytes} of them, but always the
 * first one, or a list could not go on past a row that is larger. What does not fit is not read from the database.
 *
 * @param rows - a select of at most `limit + 1` rows in the list's order
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

/**
 * The page of rows that were selected with {@link limitPageBytes}.
 *
 * @param positionOf the parts of the cursor that stand for a row.
 */
export function pageOfBytes<Row extends PagedRow, Item>(
  rows: readonly Row[],
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const last = rows.at(-1);
  return { items: rows.map(itemOf), next: last?.more ? encodeCursor(positionOf(last)) : null };
}
