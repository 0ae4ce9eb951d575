import { useInfiniteQuery } from '@tanstack/react-query';
import { erasedWaiversQuery } from '../../api/queries.ts';
import type { ErasedWaiver } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { usePagedRows } from '../../components/use-paged-rows.tsx';
import { texts } from '../../text/english.ts';
import { StateFilter } from './state-filter.tsx';

const columns: readonly Column<ErasedWaiver>[] = [
  { id: 'id', heading: texts.fields.id, cell: ({ id }) => <code>{id}</code> },
  {
    id: 'erased',
    heading: texts.waiverStates.erased,
    cell: ({ erasedAt }) =>
      erasedAt === null ? (
        <Badge tone="warning">{texts.waivers.beingErased}</Badge>
      ) : (
        <DateTime value={erasedAt} />
      ),
  },
  {
    id: 'by',
    heading: texts.waivers.erasedBy,
    cell: ({ askedBy }) => <code>{askedBy}</code>,
    isMinor: true,
  },
];
const keyOf = ({ id }: ErasedWaiver) => id;

/** The tombstones of a pool's erased waivers. */
export function ErasedWaivers({ pool }: { readonly pool: string }) {
  const list = useInfiniteQuery(erasedWaiversQuery(pool));
  const { rows, onEnd, footer } = usePagedRows(list);
  return (
    <Card isFlush>
      <Filters>
        <StateFilter state="erased" />
      </Filters>
      {list.error === null ? null : <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending ? <Loading /> : null}
      {list.isSuccess && rows.length === 0 ? (
        <Empty title={texts.waivers.noneErased}>{texts.waivers.noneErasedHint}</Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <DataTable
          label={texts.waiverStates.erased}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          onEnd={onEnd}
          footer={footer}
        />
      )}
    </Card>
  );
}
