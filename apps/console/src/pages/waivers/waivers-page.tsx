import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { waiversQuery } from '../../api/queries.ts';
import type { WaiverRecord } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextField } from '../../components/field.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { usePagedRows } from '../../components/use-paged-rows.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { texts } from '../../text/english.ts';
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

const keyOf = ({ id }: WaiverRecord) => id;
const route = getRouteApi('/waivers');

/** The waivers of a pool. */
export function WaiversPage() {
  const { pool } = route.useSearch();
  return (
    <Page title={texts.pages.waivers} lead={texts.waivers.lead}>
      {pool === undefined ? <ChoosePool /> : <WaiverList key={pool} pool={pool} />}
    </Page>
  );
}

function WaiverList({ pool }: { readonly pool: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(waiversQuery(pool, search.bookingId));
  const { rows, onEnd, footer } = usePagedRows(list);
  const applyBooking = useCallback(
    (text: string) =>
      void navigate({
        search: (former) => ({ ...former, bookingId: text.trim() || undefined }),
        replace: true,
      }),
    [navigate],
  );
  const [booking, setBooking] = useDebounced(search.bookingId ?? '', applyBooking);
  return (
    <Card isFlush>
      <Filters>
        <TextField label={texts.fields.booking} type="search" value={booking} onChange={setBooking} />
      </Filters>
      {list.error === null ? null : <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending ? <Loading /> : null}
      {list.isSuccess && rows.length === 0 ? (
        <Empty title={texts.waivers.none}>{texts.waivers.noneHint}</Empty>
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
