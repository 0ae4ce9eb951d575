import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { deliveryKinds, deliveryStates, errorCodes } from '../../api/choices.ts';
import { periods } from '../../api/periods.ts';
import { deliveriesQuery, destinationsQuery } from '../../api/queries.ts';
import type { Delivery } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { GuestName } from '../../components/guest-name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { DeliveryBadge } from '../../components/state-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { type DeliverySearch, statusIn } from './delivery-search.ts';
import { DestinationName, nameWithPool } from './destination-name.tsx';
import { RecoverDialog } from './recover-dialog.tsx';

const columns: readonly Column<Delivery>[] = [
  {
    heading: texts.fields.state,
    cell: ({ state }) => <DeliveryBadge state={state} />,
    onCard: 'bare',
  },
  {
    heading: texts.fields.guest,
    cell: ({ id, guestName }) => (
      <Link to="/deliveries/$id" params={{ id }} search={({ pool }) => ({ pool })}>
        <GuestName name={guestName} />
      </Link>
    ),
    onCard: 'title',
  },
  {
    heading: texts.fields.booking,
    cell: ({ pool, bookingId, bookingSystem }) =>
      bookingId && (
        <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
          {bookingId}
        </Link>
      ),
  },
  { heading: texts.fields.kind, cell: ({ kind }) => texts.deliveryKinds[kind], onCard: 'bare' },
  {
    heading: texts.fields.destination,
    cell: (delivery) => <DestinationName id={delivery.destination} of={delivery} />,
  },
  { heading: texts.fields.created, cell: ({ createdAt }) => <DateTime value={createdAt} />, onCard: 'bare' },
  { heading: texts.fields.version, cell: ({ version }) => version, isNumber: true },
];

const route = getRouteApi('/deliveries');

export function DeliveriesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const { data: destinations = [] } = useQuery({ ...destinationsQuery, staleTime: 60_000 });
  const list = useInfiniteQuery(deliveriesQuery(search));
  const { pool: _, ...narrowing } = search;
  const values = Object.values(narrowing);
  const isNarrowed = values.some((value) => value !== undefined);
  const change = (changes: Partial<DeliverySearch>) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true });
  return (
    <Page
      title={texts.pages.deliveries}
      lead={texts.deliveries.lead}
      actions={
        may('operator') ? (
          <DialogButton
            label={texts.deliveries.recover}
            dialog={(close) => (
              <RecoverDialog onClose={close} pool={search.pool} destination={search.destination} />
            )}
          />
        ) : undefined
      }
    >
      <Card isFlush>
        <Filters values={values}>
          <FilterChoice
            label={texts.fields.state}
            value={search.state}
            choices={deliveryStates.map((state) => [state, texts.deliveryStates[state]] as const)}
            onChange={(state) => change({ state })}
          />
          <FilterChoice
            label={texts.fields.kind}
            value={search.kind}
            choices={deliveryKinds.map((kind) => [kind, texts.deliveryKinds[kind]] as const)}
            onChange={(kind) => change({ kind })}
          />
          <FilterChoice
            label={texts.fields.destination}
            value={search.destination}
            choices={destinations
              .filter(({ pool }) => search.pool === undefined || pool === search.pool)
              .map((one) => [one.id, nameWithPool(one)] as const)}
            onChange={(destination) => change({ destination })}
          />
          <FilterChoice
            label={texts.filters.period}
            value={search.period}
            choices={periods.map((one) => [one, texts.periods[one]] as const)}
            onChange={(chosen) => change({ period: chosen })}
          />
          <FilterChoice
            label={texts.fields.error}
            value={search.errorCode}
            choices={errorCodes.map((code) => [code, texts.errorCodes(code)] as const)}
            onChange={(errorCode) => change({ errorCode })}
          />
          <FilterText
            label={texts.fields.httpStatus}
            inputMode="numeric"
            value={search.status?.toString()}
            read={(text) => statusIn(text)?.toString()}
            onChange={(text) => change({ status: statusIn(text) })}
          />
          <FilterText
            label={texts.fields.waiver}
            value={search.waiverId}
            onChange={(waiverId) => change({ waiverId })}
          />
        </Filters>
        <PagedTable
          label={texts.pages.deliveries}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          empty={
            <Empty title={isNarrowed ? texts.deliveries.noMatch : texts.deliveries.none}>
              {isNarrowed ? texts.deliveries.noMatchHint : texts.deliveries.noneHint}
            </Empty>
          }
          emptySoFar={
            // Filtered by error, many pages may be empty before one has a match.
            <Empty title={texts.deliveries.noMatch}>
              <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {texts.deliveries.readOn}
              </Button>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
