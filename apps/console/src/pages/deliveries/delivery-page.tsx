import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { deliveryQuery } from '../../api/queries.ts';
import type { Attempt, DeliveryDetail } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { GuestName } from '../../components/guest-name.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PoolName } from '../../components/pool-name.tsx';
import { DeliveryBadge } from '../../components/state-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AttemptList } from './attempt-list.tsx';
import { DestinationName } from './destination-name.tsx';
import { LaneCard } from './lane-card.tsx';

const route = getRouteApi('/deliveries/$id');
const isEnded = ({ state }: DeliveryDetail) => state !== 'waiting' && state !== 'sending';

export function DeliveryPage() {
  const { id } = route.useParams();
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id));
  const problem = <ProblemNotice error={error} retry={() => void refetch()} />;
  if (delivery === undefined) {
    return error === null ? <Loading /> : <Page title={texts.delivery.title}>{problem}</Page>;
  }
  const { kind, state, pool, destination, waiverId, guestName, version, bookingId, createdAt } = delivery;
  const { bookingSystem, reason, warnings, nextAttemptAt } = delivery;
  return (
    <Page
      title={texts.deliveryKinds[kind]}
      lead={<DeliveryBadge state={state} />}
      actions={<RetryButton delivery={delivery} />}
    >
      {problem}
      {reason === undefined ? null : <Notice title={texts.delivery.cancelledBecause}>{reason}</Notice>}
      {warnings.length === 0 ? null : (
        <Notice tone="warning" title={texts.delivery.notWritten}>
          <ul>
            {warnings.map(({ code, path, message }) => (
              <li key={`${code} ${path ?? ''} ${message}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Card title={texts.delivery.facts}>
        <Facts
          items={{
            [texts.fields.guest]: (
              <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
                <GuestName name={guestName} />
              </Link>
            ),
            [texts.fields.booking]:
              bookingId === undefined ? undefined : (
                <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
                  {bookingId}
                </Link>
              ),
            [texts.fields.destination]: <DestinationName id={destination} of={delivery} />,
            [texts.fields.pool]: <PoolName id={pool} />,
            [texts.fields.version]: version,
            [texts.fields.created]: <DateTime value={createdAt} />,
            [texts.delivery.nextTry]:
              nextAttemptAt === undefined ? undefined : <DateTime value={nextAttemptAt} style="relative" />,
            [texts.fields.id]: <Copyable text={delivery.id} label={texts.fields.id} />,
            [texts.fields.waiver]: <Copyable text={waiverId} label={texts.fields.waiver} />,
          }}
        />
      </Card>
      <Card title={texts.delivery.attempts}>
        {delivery.attempts.length === 0 && nextAttemptAt === undefined ? (
          <Empty title={texts.delivery.noAttempts}>{texts.delivery.noAttemptsHint}</Empty>
        ) : (
          <AttemptList
            attempts={newestFirst(delivery.attempts)}
            next={nextAttemptAt}
            isHeld={state === 'held'}
          />
        )}
      </Card>
      <LaneCard delivery={delivery} />
      <Card title={texts.delivery.body}>
        <JsonView value={delivery.body} label={texts.delivery.body} />
      </Card>
    </Page>
  );
}

const newestFirst = (attempts: readonly Attempt[]) =>
  attempts.toSorted((one, other) => (one.at < other.at ? 1 : -1));

function RetryButton({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { id, state } = delivery;
  const { may } = useSession();
  const navigate = route.useNavigate();
  const retry = async () => {
    const { deliveryId } = await call('POST', '/v1/admin/deliveries/:id/retry', { params: { id } });
    if (deliveryId === id) return texts.delivery.retried;
    await navigate({ to: '/deliveries/$id', params: { id: deliveryId } });
    return texts.delivery.retriedNewer;
  };
  if (!may('operator') || !isEnded(delivery)) return null;
  return (
    <ConfirmButton
      label={texts.delivery.retry}
      look={state === 'dead' ? 'primary' : 'plain'}
      lead={texts.delivery.retryLead}
      change={retry}
      done={(message) => message}
    />
  );
}
