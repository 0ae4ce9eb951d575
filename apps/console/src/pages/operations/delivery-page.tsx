import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { deliveryQuery, laneQuery } from '../../api/queries.ts';
import type { Attempt, DeliveryDetail, Lane, LaneItem } from '../../api/resources.ts';
import { copyableFact, JsonView } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Card, Facts, Loaded, Page, Timeline, TimelineItem } from '../../components/layout.tsx';
import { BookingLink, GuestName, PoolName } from '../../components/names.tsx';
import {
  Badge,
  DeliveryBadge,
  Empty,
  Loading,
  Notice,
  ProblemNotice,
  type Tone,
} from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import { DestinationName } from './destination.tsx';
import styles from './operations.module.css';

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'Delivered',
  'nothing-written': 'Nothing written',
  refused: 'Refused',
  'in-doubt': 'In doubt',
  'own-fault': 'Internal error',
};

const toneOf = ({ outcome }: Attempt): Tone => (outcome === 'accepted' ? 'good' : 'bad');

interface AttemptListProps {
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due, if any. */
  readonly next: string | undefined;
  /** Whether the delivery waits for its destination to be resumed. */
  readonly isHeld: boolean;
}

/** Attempts as a timeline: when, duration and result, and when the next one is due. */
function AttemptList({ attempts, next, isHeld }: AttemptListProps) {
  return (
    <Timeline>
      {next === undefined ? null : (
        <TimelineItem
          tone="warning"
          line={
            <>
              <Badge tone="warning">Next attempt</Badge>
              {isHeld ? (
                <span>Its destination is paused. It will be sent when the destination is resumed.</span>
              ) : (
                <DateTime value={next} style="relative" />
              )}
              {isHeld ? null : <DateTime value={next} />}
            </>
          }
        />
      )}
      {attempts.map((attempt) => (
        <TimelineItem
          key={attempt.at}
          tone={toneOf(attempt)}
          line={
            <>
              <Badge tone={toneOf(attempt)}>{outcomes[attempt.outcome] ?? attempt.outcome}</Badge>
              <DateTime value={attempt.at} />
              <span>{texts.resultOf(attempt)}</span>
              <span className="muted">{`${count(attempt.durationMs)} ms`}</span>
              <span className="muted">{attempt.trigger === 'schedule' ? 'scheduled' : attempt.trigger}</span>
            </>
          }
        >
          {attempt.response === undefined ? null : <pre className={styles.response}>{attempt.response}</pre>}
          {attempt.warnings?.map(({ code, message }) => (
            <p key={`${code} ${message}`} className={styles.warning}>
              {message}
            </p>
          ))}
        </TimelineItem>
      ))}
    </Timeline>
  );
}

function LaneCard({ delivery }: { readonly delivery: DeliveryDetail }) {
  return (
    <Card title="Lane">
      <Loaded query={laneQuery(delivery.id)}>
        {(lane) => (
          <>
            <p className="muted">{`Messages of ${lane.orderedBy === 'waiver' ? 'this waiver' : `the booking ${lane.key}`} go to this destination one at a time, in this order.`}</p>
            <LaneList lane={lane} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function LaneList({ lane }: { readonly lane: Lane }) {
  const { before, after, waiting } = lane;
  if (!waiting && after.count === 0) return <p>Nothing else is waiting in it.</p>;
  return (
    <ol className={styles.lane}>
      <More count={before.count - before.items.length} />
      {before.items.map((item) => (
        <Waiting key={item.id} item={item} />
      ))}
      <li className={styles.own} aria-current="true">
        <strong>{waiting ? 'This delivery' : 'This delivery is not waiting'}</strong>
      </li>
      {after.items.map((item) => (
        <Waiting key={item.id} item={item} />
      ))}
      <More count={after.count - after.items.length} />
    </ol>
  );
}

function More({ count: more }: { readonly count: number }) {
  if (more <= 0) return null;
  return <li className="muted">{more >= 990 ? 'and 990 or more' : `and ${count(more)} more`}</li>;
}

function Waiting({ item }: { readonly item: LaneItem }) {
  const { id, state, guestName, version, nextAttemptAt } = item;
  return (
    <li>
      <DeliveryBadge state={state} />
      <Link to="/deliveries/$id" params={{ id }}>
        <GuestName name={guestName} /> · {texts.version(version)}
      </Link>
      <span className="muted">
        due <DateTime value={nextAttemptAt} style="relative" />
      </span>
    </li>
  );
}

const route = getRouteApi('/deliveries/$id');
const isEnded = ({ state }: DeliveryDetail) => state !== 'waiting' && state !== 'sending';

export function DeliveryPage() {
  const { id } = route.useParams();
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id));
  const problem = <ProblemNotice error={error} retry={() => void refetch()} />;
  if (delivery === undefined) {
    return error === null ? <Loading /> : <Page title="Delivery">{problem}</Page>;
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
      {reason === undefined ? null : <Notice title="Cancelled">{reason}</Notice>}
      {warnings.length === 0 ? null : (
        <Notice tone="warning" title="Not everything was written">
          <ul>
            {warnings.map(({ code, path, message }) => (
              <li key={`${code} ${path ?? ''} ${message}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Card title="Delivery">
        <Facts
          items={{
            [texts.fields.guest]: (
              <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
                <GuestName name={guestName} />
              </Link>
            ),
            [texts.fields.booking]:
              bookingId === undefined ? undefined : (
                <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
              ),
            [texts.fields.destination]: <DestinationName id={destination} of={delivery} />,
            [texts.fields.pool]: <PoolName id={pool} />,
            [texts.fields.version]: version,
            [texts.fields.created]: <DateTime value={createdAt} />,
            'Next attempt':
              nextAttemptAt === undefined ? undefined : <DateTime value={nextAttemptAt} style="relative" />,
            ...copyableFact(texts.fields.id, delivery.id),
            ...copyableFact(texts.fields.waiver, waiverId),
          }}
        />
      </Card>
      <Card title="Attempts">
        {delivery.attempts.length === 0 && nextAttemptAt === undefined ? (
          <Empty title="Not attempted yet">Each attempt to send it is listed here, with the response.</Empty>
        ) : (
          <AttemptList
            attempts={newestFirst(delivery.attempts)}
            next={nextAttemptAt}
            isHeld={state === 'held'}
          />
        )}
      </Card>
      <LaneCard delivery={delivery} />
      <Card title="Body">
        <JsonView value={delivery.body} label="Body" />
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
    if (deliveryId === id) return 'Retry queued.';
    await navigate({ to: '/deliveries/$id', params: { id: deliveryId } });
    return 'Retry queued for the newest version of the waiver.';
  };
  if (!may('operator') || !isEnded(delivery)) return null;
  return (
    <ConfirmButton
      label="Retry"
      look={state === 'dead' ? 'primary' : 'plain'}
      lead="It will be sent again when its turn comes. If a newer version of the waiver has been sent to this destination since, that version is sent again instead."
      change={retry}
      done={(message) => message}
    />
  );
}
