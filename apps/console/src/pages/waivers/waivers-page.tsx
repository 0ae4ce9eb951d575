import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { waiversQuery } from '../../api/queries.ts';
import type { WaiverRecord, WaiverState } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextField } from '../../components/field.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { usePagedRows } from '../../components/use-paged-rows.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { texts } from '../../text/english.ts';
import { ErasedWaivers } from './erased-waivers.tsx';
import { StateFilter } from './state-filter.tsx';
import { nameOfGuest, WaiverBadge } from './waiver-badge.tsx';

const columns: readonly Column<WaiverRecord>[] = [
  {
    id: 'guest',
    heading: texts.fields.guest,
    cell: (waiver) => (
      <Link to="/waivers/$pool/$id" params={{ pool: waiver.pool, id: waiver.id }}>
        {nameOfGuest(waiver)}
      </Link>
    ),
  },
  { id: 'state', heading: texts.fields.state, cell: (waiver) => <WaiverBadge waiver={waiver} /> },
  {
    id: 'booking',
    heading: texts.fields.booking,
    cell: ({ pool, bookingId }) =>
      bookingId === null ? (
        <Badge>{texts.waivers.walkIn}</Badge>
      ) : (
        <Link to="/bookings" search={{ pool, id: bookingId }}>
          {bookingId}
        </Link>
      ),
  },
  {
    id: 'visit',
    heading: texts.fields.lastVisit,
    cell: ({ lastVisit }) => <DateTime value={lastVisit} />,
    isMinor: true,
  },
  {
    id: 'updated',
    heading: texts.fields.updated,
    cell: ({ updatedAt }) => <DateTime value={updatedAt} style="relative" />,
    isMinor: true,
  },
];

// The API takes no more.
const maxSearchLength = 200;

const keyOf = ({ id }: WaiverRecord) => id;
const route = getRouteApi('/waivers');

/** The waivers of a pool. */
export function WaiversPage() {
  const { pool, state } = route.useSearch();
  return (
    <Page title={texts.pages.waivers} lead={texts.waivers.lead}>
      {pool === undefined ? <ChoosePool /> : null}
      {pool !== undefined && state === 'erased' ? <ErasedWaivers key={pool} pool={pool} /> : null}
      {pool !== undefined && state !== 'erased' ? <WaiverList key={pool} pool={pool} state={state} /> : null}
    </Page>
  );
}

interface WaiverListProps {
  readonly pool: string;
  readonly state: WaiverState | undefined;
}

function WaiverList({ pool, state }: WaiverListProps) {
  const { bookingId } = route.useSearch();
  const { may } = useSession();
  const sought = useLocation({ select: (location) => location.state.waiverSearch });
  const navigate = route.useNavigate();
  const search = may('operator') ? sought : undefined;
  const list = useInfiniteQuery(waiversQuery(pool, { bookingId, state, search }));
  const { rows, onEnd, footer } = usePagedRows(list);
  // A page of a search, or of held ones, may be empty and not be the last.
  useEffect(() => {
    if (rows.length === 0) onEnd?.();
  }, [rows.length, onEnd]);
  const applySearch = useCallback(
    (text: string) =>
      void navigate({
        search: (former) => former,
        state: (former) => ({ ...former, waiverSearch: text.trim() || undefined }),
        replace: true,
      }),
    [navigate],
  );
  const applyBooking = useCallback(
    (text: string) =>
      void navigate({
        search: (former) => ({ ...former, bookingId: text.trim() || undefined }),
        state: true,
        replace: true,
      }),
    [navigate],
  );
  const [typed, setTyped] = useDebounced(search ?? '', applySearch);
  const [booking, setBooking] = useDebounced(bookingId ?? '', applyBooking);
  const isNarrowed = search !== undefined || state !== undefined || bookingId !== undefined;
  const isEmpty = list.isSuccess && rows.length === 0 && !list.hasNextPage;
  return (
    <Card isFlush>
      <Filters>
        {may('operator') ? (
          <TextField
            label={texts.waivers.search}
            hint={texts.waivers.searchHint}
            type="search"
            autoComplete="off"
            maxLength={maxSearchLength}
            value={typed}
            onChange={setTyped}
          />
        ) : null}
        <StateFilter state={state} />
        <TextField label={texts.fields.booking} type="search" value={booking} onChange={setBooking} />
      </Filters>
      {list.data?.pages[0]?.incomplete ? <Notice tone="warning">{texts.waivers.incomplete}</Notice> : null}
      {list.error === null ? null : <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending ? <Loading /> : null}
      {isEmpty ? (
        <Empty title={isNarrowed ? texts.waivers.noMatch : texts.waivers.none}>
          {isNarrowed ? texts.waivers.noMatchHint : texts.waivers.noneHint}
        </Empty>
      ) : (
        <DataTable
          label={texts.pages.waivers}
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
