import { type UseQueryOptions, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { PagedQuery } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import styles from './data-table.module.css';
import { Card } from './layout.tsx';
import { Empty, Loading, ProblemNotice } from './notice.tsx';

/** A column; its heading must be unique. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** On a phone, where each row is a card: `title` heads it, `bare` has no label. Empty cells are omitted. */
  readonly onCard?: 'title' | 'bare';
  readonly isNumber?: boolean;
  /** Stays in view when the table scrolls sideways. */
  readonly isPinned?: boolean;
}

interface DataTableProps<Row> {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Called when the last rows come into view, to load more. */
  readonly onEnd?: (() => void) | undefined;
  /** Shown below the last row, such as "loading". */
  readonly footer?: ReactNode;
}

const rowHeight = 41;
const rowsBeyondView = 12;
const maxAddedAbove = 200;

/** A virtualized table: renders only the rows in view. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onEnd, footer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyAt(rows, index, rowKey),
    overscan: rowsBeyondView,
  });
  const drawn = virtualizer.getVirtualItems();
  const last = drawn.at(-1);
  const firstIndex = drawn[0]?.index ?? 0;
  const endIndex = (last?.index ?? -1) + 1;
  const isAtEnd = last !== undefined && last.index >= rows.length - rowsBeyondView;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);

  useKeptScrollPosition(scroller, rows, rowKey, (index) => virtualizer.measurementsCache[index]?.start ?? 0);

  const above = drawn[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (last?.end ?? 0);
  const classOf = ({ onCard, isNumber, isPinned }: Column<Row>) =>
    `${onCard === 'title' ? styles.title : ''} ${isNumber ? styles.number : ''} ${isPinned ? styles.pinned : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label={label}>
      <table aria-label={label} aria-rowcount={rows.length + 1} className={styles.table}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.heading} scope="col" className={classOf(column)}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 ? <Spacer height={above} columns={columns.length} /> : null}
          {rows.slice(firstIndex, endIndex).map((row, place) => (
            <tr
              key={rowKey(row)}
              ref={virtualizer.measureElement}
              data-index={firstIndex + place}
              aria-rowindex={firstIndex + place + 2}
              className={styles.row}
            >
              {columns.map((column) => (
                <td
                  key={column.heading}
                  className={classOf(column)}
                  data-label={column.onCard === undefined ? column.heading : undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 ? <Spacer height={below} columns={columns.length} /> : null}
        </tbody>
      </table>
      {footer}
    </section>
  );
}

function keyAt<Row>(rows: readonly Row[], index: number, rowKey: (row: Row) => string): string | number {
  const row = rows[index];
  return row === undefined ? index : rowKey(row);
}

/** Keeps the scroll position when rows are added above. @param startOf - a row's offset, in pixels */
function useKeptScrollPosition<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  startOf: (index: number) => number,
): void {
  const former = useRef<string>(undefined);
  const [first] = rows;
  const firstKey = first === undefined ? undefined : rowKey(first);
  useLayoutEffect(() => {
    const element = scroller.current;
    const formerKey = former.current;
    former.current = firstKey;
    if (element === null || element.scrollTop === 0 || formerKey === undefined || formerKey === firstKey)
      return;
    // Not found among the first rows: treated as a different list.
    const added = rows.slice(0, maxAddedAbove).findIndex((row) => rowKey(row) === formerKey);
    if (added > 0) element.scrollTop += startOf(added);
  }, [scroller, rows, rowKey, firstKey, startOf]);
}

/** Stands in for rows that are out of view. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr>
      <td colSpan={columns} className={styles.spacer} style={{ height }} />
    </tr>
  );
}

interface QueryTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly result: Pick<UseQueryResult, 'error' | 'isPending' | 'isSuccess' | 'refetch'>;
  readonly rows: readonly Row[] | undefined;
  /** Replaces the table if there are no rows. */
  readonly empty?: ReactNode;
}

/** A table of a query's rows, its error with a retry button, or a loading message. */
function QueryTable<Row extends object>({ result, rows = [], empty, ...table }: QueryTableProps<Row>) {
  return (
    <>
      <ProblemNotice error={result.error} retry={() => void result.refetch()} />
      {result.isPending ? <Loading /> : null}
      {result.isSuccess && rows.length === 0 ? empty : <DataTable {...table} rows={rows} />}
    </>
  );
}

interface TableCardProps<Row> extends Omit<QueryTableProps<Row>, 'result' | 'rows' | 'empty'> {
  readonly title?: string;
  readonly query: UseQueryOptions<Row[]>;
  /** The heading if there are no rows, and below it the children. */
  readonly none?: string;
  readonly children?: ReactNode;
}

/** A card with a table of what a query reads. */
export function TableCard<Row extends object>(props: TableCardProps<Row>) {
  const { title, query, none, children, ...table } = props;
  const result = useQuery(query);
  return (
    <Card title={title} isFlush>
      <QueryTable
        {...table}
        result={result}
        rows={result.data}
        empty={none === undefined ? undefined : <Empty title={none}>{children}</Empty>}
      />
    </Card>
  );
}

interface PagedTableProps<Row> extends Omit<QueryTableProps<Row>, 'result' | 'rows' | 'onEnd' | 'footer'> {
  readonly query: PagedQuery<Row>;
  /** Shown while no page has had a row, for a list whose next pages are read only on request. */
  readonly emptySoFar?: ReactNode;
}

/**
 * A table of a paged list. Reads the next page when the last rows come into view, and after an empty page, which need
 * not be the last.
 */
export function PagedTable<Row extends object>({ query, empty, emptySoFar, ...table }: PagedTableProps<Row>) {
  const list = useInfiniteQuery(query);
  const { data, hasNextPage, isSuccess, isFetchingNextPage, fetchNextPage } = list;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const isEmptySoFar = hasNextPage && rows?.length === 0;
  // After a failure, only the retry button reads on.
  const canReadOn = hasNextPage && isSuccess && !isFetchingNextPage;
  const readsOn = canReadOn && isEmptySoFar && emptySoFar === undefined;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  return (
    <QueryTable
      {...table}
      result={list}
      rows={rows}
      empty={isEmptySoFar ? (emptySoFar ?? <Loading />) : empty}
      onEnd={canReadOn ? () => void fetchNextPage() : undefined}
      footer={
        isFetchingNextPage ? (
          <p role="status" className="muted">
            {texts.loading}
          </p>
        ) : undefined
      }
    />
  );
}
