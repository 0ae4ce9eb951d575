import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { waiversQuery } from '../../api/queries.ts';
import type { WaiverRecord, WaiverState } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Filters, FilterText } from '../../components/filters.tsx';
import { GuestName } from '../../components/guest-name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { texts } from '../../text/english.ts';
import { ErasedWaivers } from './erased-waivers.tsx';
import { StateFilter } from './state-filter.tsx';
import { WaiverBadge } from './waiver-badge.tsx';

const columns: readonly Column<WaiverRecord>[] = [
  {
    heading: texts.fields.guest,
    cell: (waiver) => (
      <Link to="/waivers/$pool/$id" params={{ pool: waiver.pool, id: waiver.id }}>
        <GuestName name={waiver.answers?.name} />
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.state, cell: (waiver) => <WaiverBadge waiver={waiver} />, onCard: 'bare' },
  {
    heading: texts.fields.booking,
    cell: ({ pool, bookingId, bookingSystem }) =>
      bookingId === null ? (
        <Badge>{texts.waivers.walkIn}</Badge>
      ) : (
        <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem: bookingSystem ?? undefined }}>
          {bookingId}
        </Link>
      ),
  },
  { heading: texts.fields.lastVisit, cell: ({ lastVisit }) => <DateTime value={lastVisit} /> },
  {
    heading: texts.fields.updated,
    cell: ({ updatedAt }) => <DateTime value={updatedAt} style="relative" />,
  },
];

// The API's limit.
const maxSearchLength = 200;

const route = getRouteApi('/waivers');

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
  const isNarrowed = search !== undefined || state !== undefined || bookingId !== undefined;
  return (
    <Card isFlush>
      <Filters
        values={[state, bookingId]}
        search={
          may('operator') ? (
            <FilterText
              label={texts.waivers.search}
              hint={texts.waivers.searchHint}
              autoComplete="off"
              maxLength={maxSearchLength}
              value={search}
              onChange={(text) =>
                void navigate({
                  search: (former) => former,
                  state: (former) => ({ ...former, waiverSearch: text }),
                  replace: true,
                })
              }
            />
          ) : undefined
        }
      >
        <StateFilter state={state} />
        <FilterText
          label={texts.fields.booking}
          value={bookingId}
          onChange={(booking) =>
            void navigate({
              search: (former) => ({ ...former, bookingId: booking }),
              state: true,
              replace: true,
            })
          }
        />
      </Filters>
      <PagedTable
        label={texts.pages.waivers}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        empty={
          <Empty title={isNarrowed ? texts.waivers.noMatch : texts.waivers.none}>
            {isNarrowed ? texts.waivers.noMatchHint : texts.waivers.noneHint}
          </Empty>
        }
      />
    </Card>
  );
}
