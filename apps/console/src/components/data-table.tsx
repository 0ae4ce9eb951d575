import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import styles from './data-table.module.css';

const features = tableFeatures({});

/** One column: its heading, and what it shows of a row. */
export interface Column<Row> {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out where there is little room, such as on a phone. */
  readonly isMinor?: boolean;
  readonly isNumber?: boolean;
  /** Stays in view where the table is wider than its place. */
  readonly isPinned?: boolean;
}

interface DataTableProps<Row> {
  /** Read out as the table's name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Called when the last rows come into view: there may be more. */
  readonly onEnd?: (() => void) | undefined;
  /** Shown below the last row, such as "loading". */
  readonly footer?: ReactNode;
}

const rowHeight = 41;
const rowsBeyondView = 12;
const maxAddedAbove = 200;

/** A table of any number of rows, of which only those in view are drawn. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onEnd, footer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo(
    () =>
      columns.map(
        ({ id, heading, cell }): ColumnDef<typeof features, Row> => ({
          id,
          header: heading,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: rowsBeyondView,
  });
  const drawn = virtualizer.getVirtualItems();
  const last = drawn.at(-1);
  const firstIndex = drawn[0]?.index ?? 0;
  const endIndex = (last?.index ?? -1) + 1;
  // The table is of what is in view: a hundred thousand rows are not built anew when one more is read.
  const inView = useMemo(() => rows.slice(firstIndex, endIndex), [rows, firstIndex, endIndex]);
  const table = useTable({ features, columns: definitions, data: inView, getRowId: rowKey });
  const isAtEnd = last !== undefined && last.index >= rows.length - rowsBeyondView;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);

  usePlaceKept(scroller, rows, rowKey);

  const above = drawn[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (last?.end ?? 0);
  const classOf = (id: string) => {
    const column = columns.find((one) => one.id === id);
    return `${column?.isMinor ? styles.minor : ''} ${column?.isNumber ? styles.number : ''} ${column?.isPinned ? styles.pinned : ''}`;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label={label}>
      <table aria-label={label} aria-rowcount={rows.length + 1} className={styles.table}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className={classOf(header.column.id)}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {above > 0 ? <Spacer height={above} columns={columns.length} /> : null}
          {table.getRowModel().rows.map((row, place) => (
            <tr key={row.id} aria-rowindex={firstIndex + place + 2} className={styles.row}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className={classOf(cell.column.id)}>
                  <table.FlexRender cell={cell} />
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

/** Whoever has scrolled goes on seeing the same rows when others come in above. */
function usePlaceKept<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
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
    // Beyond that, the list is another one.
    const added = rows.slice(0, maxAddedAbove).findIndex((row) => rowKey(row) === formerKey);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [scroller, rows, rowKey, firstKey]);
}

/** Takes the room of rows that are out of view. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr>
      <td colSpan={columns} className={styles.spacer} style={{ height }} />
    </tr>
  );
}
