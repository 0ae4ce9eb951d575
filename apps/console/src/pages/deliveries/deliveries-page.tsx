import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { deliveriesQuery, destinationsQuery } from '../../api/queries.ts';
import { type Delivery, deliveryKinds, deliveryStates, errorCodes } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { DeliveryBadge } from '../../components/state-badge.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { usePagedRows } from '../../components/use-paged-rows.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { type DeliverySearch, periods, sinceOf, statusIn } from './delivery-search.ts';
import { DestinationName, nameOfDestination } from './destination-name.tsx';
import { RecoverDialog } from './recover-dialog.tsx';

const columns: readonly Column<Delivery>[] = [
  {
    id: 'state',
    heading: texts.fields.state,
    cell: ({ state }) => <DeliveryBadge state={state} />,
  },
  {
    id: 'created',
    heading: texts.fields.created,
    cell: ({ id, createdAt }) => (
      <Link to="/deliveries/$id" params={{ id }} search={({ pool }) => ({ pool })}>
        <DateTime value={createdAt} />
      </Link>
    ),
  },
  { id: 'kind', heading: texts.fields.kind, cell: ({ kind }) => texts.deliveryKinds[kind] },
  {
    id: 'destination',
    heading: texts.fields.destination,
    cell: (delivery) => <DestinationName id={delivery.destination} of={delivery} />,
    isMinor: true,
  },
  {
    id: 'waiver',
    heading: texts.fields.waiver,
    cell: ({ pool, waiverId }) => (
      <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
        <ShortId id={waiverId} />
      </Link>
    ),
    isMinor: true,
  },
  {
    id: 'version',
    heading: texts.fields.version,
    cell: ({ version }) => version,
    isNumber: true,
    isMinor: true,
  },
];

const keyOf = ({ id }: Delivery) => id;
const route = getRouteApi('/deliveries');

/** Everything that was sent or waits to be, with a way to send again what failed. */
export function DeliveriesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const [isRecovering, setIsRecovering] = useState(false);
  const { data: destinations = [] } = useQuery({ ...destinationsQuery, staleTime: 60_000 });
  const { period, ...filter } = search;
  const since = sinceOf(period);
  const list = useInfiniteQuery(deliveriesQuery({ ...filter, since }));
  const { rows, onEnd, footer } = usePagedRows(list);

  const change = useCallback(
    (changes: Partial<DeliverySearch>) =>
      void navigate({ search: (former) => ({ ...former, ...changes }), replace: true }),
    [navigate],
  );
  const applyWaiver = useCallback((text: string) => change({ waiverId: text.trim() || undefined }), [change]);
  const [waiver, setWaiver] = useDebounced(search.waiverId ?? '', applyWaiver);
  const applyStatus = useCallback((text: string) => change({ status: statusIn(text) }), [change]);
  const [status, setStatus] = useDebounced(search.status?.toString() ?? '', applyStatus);

  return (
    <Page
      title={texts.pages.deliveries}
      lead={texts.deliveries.lead}
      actions={
        may('operator') ? (
          <Button onClick={() => setIsRecovering(true)}>{texts.deliveries.recover}</Button>
        ) : undefined
      }
    >
      <Card isFlush>
        <Filters>
          <ChoiceField
            label={texts.fields.state}
            value={search.state ?? ''}
            choices={[
              ['', texts.filters.any],
              ...deliveryStates.map((state) => [state, texts.deliveryStates[state]] as const),
            ]}
            onChange={(state) => change({ state: state || undefined })}
          />
          <ChoiceField
            label={texts.fields.kind}
            value={search.kind ?? ''}
            choices={[
              ['', texts.filters.any],
              ...deliveryKinds.map((kind) => [kind, texts.deliveryKinds[kind]] as const),
            ]}
            onChange={(kind) => change({ kind: kind || undefined })}
          />
          <ChoiceField
            label={texts.fields.destination}
            value={search.destination ?? ''}
            choices={[
              ['', texts.filters.any],
              ...destinations
                .filter(({ pool }) => search.pool === undefined || pool === search.pool)
                .map((one) => [one.id, `${nameOfDestination(one)} (${one.pool})`] as const),
            ]}
            onChange={(destination) => change({ destination: destination || undefined })}
          />
          <ChoiceField
            label={texts.filters.period}
            value={search.period ?? ''}
            choices={[['', texts.filters.any], ...periods.map((one) => [one, texts.periods[one]] as const)]}
            onChange={(chosen) => change({ period: chosen || undefined })}
          />
          <ChoiceField
            label={texts.fields.error}
            value={search.errorCode ?? ''}
            choices={[
              ['', texts.filters.any],
              ...errorCodes.map((code) => [code, texts.errorCodes(code)] as const),
            ]}
            onChange={(errorCode) => change({ errorCode: errorCode || undefined })}
          />
          <TextField label={texts.fields.httpStatus} type="search" value={status} onChange={setStatus} />
          <TextField label={texts.fields.waiver} type="search" value={waiver} onChange={setWaiver} />
        </Filters>
        {list.error === null ? null : <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
        {list.isPending ? <Loading /> : null}
        {list.isSuccess && rows.length === 0 ? (
          <Empty title={texts.deliveries.none}>
            {onEnd === undefined ? (
              texts.deliveries.noneHint
            ) : (
              // By their errors, a page may have none, and a later one some.
              <Button onClick={onEnd}>{texts.deliveries.readOn}</Button>
            )}
          </Empty>
        ) : (
          <DataTable
            label={texts.pages.deliveries}
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            onEnd={onEnd}
            footer={footer}
          />
        )}
      </Card>
      <RecoverDialog
        isOpen={isRecovering}
        onClose={() => setIsRecovering(false)}
        pool={search.pool}
        destination={search.destination}
      />
    </Page>
  );
}
