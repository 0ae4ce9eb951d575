import { useInfiniteQuery } from '@tanstack/react-query';
import { erasedWaiversQuery } from '../../api/queries.ts';
import type { ErasedWaiver } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { StateFilter } from './state-filter.tsx';

const columns: readonly Column<ErasedWaiver>[] = [
  { heading: texts.fields.id, cell: ({ id }) => <code>{id}</code>, onCard: 'title' },
  {
    heading: texts.waiverStates.erased,
    cell: ({ erasedAt }) =>
      erasedAt === null ? (
        <Badge tone="warning">{texts.waivers.beingErased}</Badge>
      ) : (
        <DateTime value={erasedAt} />
      ),
  },
  { heading: texts.waivers.erasedBy, cell: ({ askedBy }) => <code>{askedBy}</code> },
];

export function ErasedWaivers({ pool }: { readonly pool: string }) {
  const list = useInfiniteQuery(erasedWaiversQuery(pool));
  return (
    <Card isFlush>
      <Filters values={['erased']}>
        <StateFilter state="erased" />
      </Filters>
      <PagedTable
        label={texts.waiverStates.erased}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        empty={<Empty title={texts.waivers.noneErased}>{texts.waivers.noneErasedHint}</Empty>}
      />
    </Card>
  );
}
