import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { destinationsQuery } from '../../api/queries.ts';
import type { Destination } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ActionButton, ConfirmButton, DialogButton } from '../../components/dialog.tsx';
import { Page } from '../../components/layout.tsx';
import { PoolName } from '../../components/names.tsx';
import { DestinationBadge, useToast } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import { TestDialog } from '../integration/installation-dialogs.tsx';
import { DestinationName, nameWithPool, urgency } from './destination.tsx';

const columns: readonly Column<Destination>[] = [
  {
    heading: texts.fields.state,
    cell: (destination) => <DestinationBadge destination={destination} />,
    onCard: 'bare',
  },
  {
    heading: texts.fields.destination,
    cell: (destination) => <DestinationName id={destination.id} of={destination} />,
    onCard: 'title',
  },
  { heading: texts.fields.lastError, cell: ({ lastErrorCode: code }) => code && texts.errorCodes(code) },
  {
    heading: texts.fields.pool,
    cell: ({ pool }) => (
      <Link to="/pools/$pool" params={{ pool }}>
        <PoolName id={pool} />
      </Link>
    ),
  },
  { heading: 'Waiting', cell: (destination) => <Waiting destination={destination} />, isNumber: true },
  {
    heading: 'Oldest waiting',
    cell: ({ oldestWaitingAt: at }) => at && <DateTime value={at} style="relative" />,
  },
  {
    heading: texts.fields.failingSince,
    cell: ({ firstFailureAt: at }) => at && <DateTime value={at} style="relative" />,
  },
  {
    heading: texts.fields.actions,
    cell: (destination) => (
      <span className="buttons">
        <PauseOrResume destination={destination} />
        <TestDestination destination={destination} />
      </span>
    ),
    onCard: 'bare',
    isPinned: true,
  },
];

const route = getRouteApi('/destinations');

/** The destinations, failing and paused ones first. */
export function DestinationsPage() {
  const { pool } = route.useSearch();
  const select = useCallback(
    (all: readonly Destination[]) =>
      all
        .filter((one) => pool === undefined || one.pool === pool)
        .toSorted((one, other) => urgency(other) - urgency(one)),
    [pool],
  );
  return (
    <Page title={texts.pages.destinations} lead="Where messages go. Failing and paused ones come first.">
      <TableCard
        label={texts.pages.destinations}
        columns={columns}
        query={{ ...destinationsQuery, select }}
        rowKey={({ id }) => id}
        none="No destinations"
      >
        Booking systems and webhooks that messages go to are listed here. Install or add one on the page of a
        pool.
      </TableCard>
    </Page>
  );
}

/** How many messages are waiting, linked to their list. */
function Waiting({ destination: { id, waiting } }: { readonly destination: Destination }) {
  if (waiting === 0) return count(waiting);
  return (
    <Link to="/deliveries" search={({ pool }) => ({ pool, destination: id, state: 'waiting' })}>
      {count(waiting)}
    </Link>
  );
}

/** Tests a destination: a webhook with an invented record, an installation by reading one of its bookings. */
function TestDestination({ destination }: { readonly destination: Destination }) {
  const { pool, webhook, bookingSystem } = destination;
  const name = nameWithPool(destination);
  const { may } = useSession();
  const toast = useToast();
  const test = useMutation({
    mutationFn: (id: string) =>
      call('POST', '/v1/admin/pools/:pool/webhooks/:id/test', { params: { pool, id } }),
    onSuccess: ({ ok, durationMs, message, errorCode }) =>
      toast(
        ok
          ? `${name} accepted a sample guest record in ${count(durationMs)} ms.`
          : `${name} did not accept a sample guest record: ${message ?? texts.errorCodes(errorCode)}`,
      ),
    onError: (error) => toast(error.message),
  });
  if (!may('operator')) return null;
  if (webhook !== undefined) {
    return (
      <Button
        size="small"
        look="quiet"
        aria-label={`Test ${name}`}
        isBusy={test.isPending}
        onClick={() => test.mutate(webhook.id)}
      >
        {texts.actions.test}
      </Button>
    );
  }
  if (bookingSystem === undefined) return null;
  return (
    <DialogButton
      label="Test…"
      aria-label={`Test ${name}`}
      size="small"
      look="quiet"
      dialog={(close) => <TestDialog onClose={close} pool={pool} bookingSystem={bookingSystem} />}
    />
  );
}

function PauseOrResume({ destination }: { readonly destination: Destination }) {
  const { status, consecutiveFailures, heldUntil } = destination;
  const { may } = useSession();
  if (!may('operator') || status === 'closed') return null;
  const resumes = status === 'paused' || consecutiveFailures > 0 || heldUntil !== undefined;
  return (
    <>
      {resumes ? <ResumeButton destination={destination} /> : null}
      {status === 'paused' ? null : <PauseButton destination={destination} />}
    </>
  );
}

function ResumeButton({ destination }: { readonly destination: Destination }) {
  const { id } = destination;
  const name = nameWithPool(destination);
  return (
    <ActionButton
      label="Resume"
      size="small"
      aria-label={`Resume ${name}`}
      change={() => call('POST', '/v1/admin/destinations/:id/resume', { params: { id } })}
      queryKey={destinationsQuery.queryKey}
      done={`${name} is resumed. Waiting messages are being sent.`}
    />
  );
}

function PauseButton({ destination }: { readonly destination: Destination }) {
  const { id } = destination;
  const name = nameWithPool(destination);
  return (
    <ConfirmButton
      label="Pause"
      aria-label={`Pause ${name}`}
      size="small"
      look="quiet"
      title={`Pause ${name}`}
      lead="Nothing is sent to it until someone resumes it. Its messages are kept. No alert is sent: the overview lists it as paused."
      change={() => call('POST', '/v1/admin/destinations/:id/pause', { params: { id } })}
      done={`${name} is paused. Its messages are kept.`}
    />
  );
}
