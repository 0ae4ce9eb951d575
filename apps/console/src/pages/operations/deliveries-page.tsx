import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deliveryKinds,
  deliveryStates,
  errorCodes,
  type Period,
  periods,
  sinceOf,
  statusIn,
} from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { deliveriesQuery, destinationsQuery, recoveryQuery } from '../../api/queries.ts';
import type { Delivery } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Dialog, DialogButton, useChange } from '../../components/dialog.tsx';
import { bind, ChoiceField, choicesOf } from '../../components/field.tsx';
import { FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { BookingLink, GuestName } from '../../components/names.tsx';
import { DeliveryBadge, Empty, Notice, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import { DestinationName, nameWithPool } from './destination.tsx';
import styles from './operations.module.css';

const recoverTitle = 'Retry failed deliveries';

interface RecoverDialogProps {
  readonly onClose: () => void;
  readonly pool: string | undefined;
  readonly destination: string | undefined;
}

function RecoverDialog({ onClose, pool, destination }: RecoverDialogProps) {
  const [period, setPeriod] = useState<Period>('24h');
  const inPool = pool === undefined ? 'in all pools' : `in ${pool}`;
  const place = destination === undefined ? inPool : 'at this destination';
  const start = useChange({
    change: () =>
      call('POST', '/v1/admin/deliveries/recover', {
        body: {
          ...(pool === undefined ? {} : { pool }),
          ...(destination === undefined ? {} : { destination }),
          since: sinceOf(period) ?? new Date(0).toISOString(),
        },
      }),
    queryKey: ['/v1/admin/deliveries'],
  });
  return (
    <Dialog
      onClose={onClose}
      title={recoverTitle}
      lead={`All deliveries that failed permanently ${place} since the time below are sent again, oldest first.`}
      closeLabel={start.isSuccess ? texts.actions.close : texts.actions.cancel}
      isBusy={start.isPending}
      action={
        start.isSuccess ? null : (
          <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
            Retry all
          </Button>
        )
      }
    >
      {start.isSuccess ? (
        <RecoveryProgress id={start.data.recoveryId} />
      ) : (
        <ChoiceField
          label="Created in"
          value={period}
          choices={choicesOf(periods, texts.periods)}
          onChange={setPeriod}
        />
      )}
      <ProblemNotice error={start.error} />
    </Dialog>
  );
}

function RecoveryProgress({ id }: { readonly id: string }) {
  const { data, error } = useQuery(recoveryQuery(id));
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  const { state, recovered, total } = data;
  return (
    <div role="status" className={styles.progress}>
      <progress value={recovered} max={Math.max(total, 1)} aria-label={recoverTitle} />
      <p>{`${count(recovered)} of ${count(total)} queued again`}</p>
      {state === 'done' ? <Notice tone="good">All of them are queued again.</Notice> : null}
    </div>
  );
}

const columns: readonly Column<Delivery>[] = [
  { heading: texts.fields.state, cell: ({ state }) => <DeliveryBadge state={state} />, onCard: 'bare' },
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
      bookingId && <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />,
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
const noMatch = 'No message matches these filters';

export function DeliveriesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const { data: destinations = [] } = useQuery({ ...destinationsQuery, staleTime: 60_000 });
  const query = deliveriesQuery(search);
  const { isFetchingNextPage, fetchNextPage } = useInfiniteQuery(query);
  const { pool: _, ...narrowing } = search;
  const values = Object.values(narrowing);
  const isNarrowed = values.some((value) => value !== undefined);
  const filter = bind(search, (next) => void navigate({ search: next, replace: true }));
  return (
    <Page
      title={texts.pages.deliveries}
      lead="Every message to a booking system or a webhook, sent or waiting."
      actions={
        may('operator') ? (
          <DialogButton
            label="Retry failed…"
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
            choices={choicesOf(deliveryStates, texts.deliveryStates)}
            {...filter('state')}
          />
          <FilterChoice
            label={texts.fields.kind}
            choices={choicesOf(deliveryKinds, texts.deliveryKinds)}
            {...filter('kind')}
          />
          <FilterChoice
            label={texts.fields.destination}
            {...filter('destination')}
            choices={destinations
              .filter(({ pool }) => search.pool === undefined || pool === search.pool)
              .map((one) => [one.id, nameWithPool(one)] as const)}
          />
          <FilterChoice
            label={texts.fields.period}
            choices={choicesOf(periods, texts.periods)}
            {...filter('period')}
          />
          <FilterChoice
            label="Error"
            {...filter('errorCode')}
            choices={errorCodes.map((code) => [code, texts.errorCodes(code)] as const)}
          />
          <FilterText
            label="HTTP status"
            inputMode="numeric"
            value={search.status?.toString()}
            read={(text) => statusIn(text)?.toString()}
            onChange={(text) => filter('status').onChange(statusIn(text))}
          />
          <FilterText label={texts.fields.waiver} {...filter('waiverId')} />
        </Filters>
        <PagedTable
          label={texts.pages.deliveries}
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          empty={
            <Empty title={isNarrowed ? noMatch : 'No deliveries'}>
              {isNarrowed
                ? 'Remove a filter or widen the period.'
                : 'Each stored, changed or voided waiver creates a message to each booking system and webhook of its pool.'}
            </Empty>
          }
          emptySoFar={
            // Filtered by error, many pages may be empty before one has a match.
            <Empty title={noMatch}>
              <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                None found so far. Keep searching
              </Button>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
