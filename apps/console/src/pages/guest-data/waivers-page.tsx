import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ListedState, listedStates } from '../../api/choices.ts';
import { erasedWaiversQuery, waiversQuery } from '../../api/queries.ts';
import type { ErasedWaiver, WaiverRecord, WaiverState } from '../../api/resources.ts';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { choicesOf } from '../../components/field.tsx';
import { FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { BookingLink, GuestName } from '../../components/names.tsx';
import { Badge, Empty, WaiverBadge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/shell.tsx';
import { texts } from '../../text/english.ts';

/** Filters waivers by state; the choice is kept in the URL. */
function StateFilter({ state }: { readonly state: ListedState | undefined }) {
  const navigate = useNavigate({ from: '/waivers' });
  return (
    <FilterChoice
      label={texts.fields.state}
      anyLabel="Any state"
      value={state}
      choices={choicesOf(listedStates, texts.waiverStates)}
      onChange={(chosen) =>
        void navigate({ search: (former) => ({ ...former, state: chosen }), state: true, replace: true })
      }
    />
  );
}

const erasedColumns: readonly Column<ErasedWaiver>[] = [
  { heading: texts.fields.id, cell: ({ id }) => <code>{id}</code>, onCard: 'title' },
  {
    heading: texts.waiverStates.erased,
    cell: ({ erasedAt }) =>
      erasedAt === null ? <Badge tone="warning">Being erased</Badge> : <DateTime value={erasedAt} />,
  },
  { heading: 'Requested by', cell: ({ askedBy }) => <code>{askedBy}</code> },
];

function ErasedWaivers({ pool }: { readonly pool: string }) {
  return (
    <Card isFlush>
      <Filters values={['erased']}>
        <StateFilter state="erased" />
      </Filters>
      <PagedTable
        label={texts.waiverStates.erased}
        columns={erasedColumns}
        query={erasedWaiversQuery(pool)}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No erased waivers">
            Only the id, the time and the requester of an erasure are kept.
          </Empty>
        }
      />
    </Card>
  );
}

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
        <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
      ),
  },
  { heading: texts.fields.lastVisit, cell: ({ lastVisit }) => <DateTime value={lastVisit} /> },
  { heading: texts.fields.updated, cell: ({ updatedAt }) => <DateTime value={updatedAt} style="relative" /> },
];

// The API's limit.
const maxSearchLength = 200;

const route = getRouteApi('/waivers');

export function WaiversPage() {
  const { pool, state } = route.useSearch();
  return (
    <Page title={texts.pages.waivers} lead="The waivers of the pool, most recently changed first.">
      {pool === undefined ? <ChoosePool /> : null}
      {pool !== undefined && state === 'erased' ? <ErasedWaivers key={pool} pool={pool} /> : null}
      {pool !== undefined && state !== 'erased' ? <WaiverList key={pool} pool={pool} state={state} /> : null}
    </Page>
  );
}

function WaiverList({ pool, state }: { readonly pool: string; readonly state: WaiverState | undefined }) {
  const { bookingId } = route.useSearch();
  const { may } = useSession();
  const sought = useLocation({ select: (location) => location.state.waiverSearch });
  const navigate = route.useNavigate();
  const search = may('operator') ? sought : undefined;
  const isNarrowed = search !== undefined || state !== undefined || bookingId !== undefined;
  return (
    <Card isFlush>
      <Filters
        values={[state, bookingId]}
        search={
          may('operator') ? (
            <FilterText
              label="Search"
              hint="Name, e-mail address, booking or waiver id"
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
        query={waiversQuery(pool, { bookingId, state, search })}
        rowKey={({ id }) => id}
        empty={
          <Empty title={isNarrowed ? 'No matching waivers' : 'No waivers'}>
            {isNarrowed
              ? 'A search finds the beginnings of names and e-mail addresses, and whole ids.'
              : 'Waivers appear here as soon as the first page of one is stored.'}
          </Empty>
        }
      />
    </Card>
  );
}
