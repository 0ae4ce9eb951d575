import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { overviewWindows } from '../../api/choices.ts';
import {
  deliveriesQuery,
  destinationsQuery,
  firstStepsQuery,
  overviewQuery,
  sentAlertsQuery,
} from '../../api/queries.ts';
import type { Destination, Overview, OverviewWindow } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField, choicesOf } from '../../components/field.tsx';
import { Card, Loaded, Page } from '../../components/layout.tsx';
import { GuestName, PoolName } from '../../components/names.tsx';
import { DestinationBadge, Empty, Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { count, plural } from '../../text/formats.ts';
import { SentAlerts } from '../alerts/sent-alerts.tsx';
import { Chart, type Series } from './chart.tsx';
import { DestinationName, needsAttention, urgencyWithWaiting } from './destination.tsx';
import styles from './operations.module.css';

/** Links to the first steps until they are done, and says who can take them. */
function StartInvitation() {
  const { data: steps } = useQuery(firstStepsQuery);
  const { may } = useSession();
  if (steps === undefined || steps.booking) return null;
  const done = Object.values(steps).filter(Boolean).length;
  return (
    <Notice title={done === 0 ? 'Nothing is set up yet' : `${done} of 4 steps done`}>
      {may('owner') ? (
        <p>
          Connect a booking system and read the first booking, step by step.{' '}
          <Link to="/start">{done === 0 ? 'Start' : 'Continue'}</Link>
        </p>
      ) : (
        <p>Only owners can set it up. Ask one of them.</p>
      )}
    </Notice>
  );
}

const maxShown = 3;

/** The latest guests with messages that a destination has yet to accept, with their bookings. */
function WaitingGuests({ destination }: { readonly destination: Destination }) {
  // A paused destination's deliveries are held, not waiting.
  const state = destination.status === 'paused' ? 'held' : 'waiting';
  const { data } = useInfiniteQuery(deliveriesQuery({ destination: destination.id, state }));
  const deliveries = data?.pages[0]?.items ?? [];
  // List each guest once.
  const ofGuests = [...new Map(deliveries.map((delivery) => [delivery.waiverId, delivery])).values()];
  if (ofGuests.length === 0) return null;
  return (
    <ul className={styles.guests}>
      {ofGuests.slice(0, maxShown).map(({ id, guestName, bookingId }) => (
        <li key={id}>
          <Link to="/deliveries/$id" params={{ id }}>
            <GuestName name={guestName} />
          </Link>
          {bookingId === undefined ? null : <span className="muted"> {bookingId}</span>}
        </li>
      ))}
      {ofGuests.length > maxShown ? (
        <li>
          <Link to="/deliveries" search={({ pool }) => ({ pool, destination: destination.id, state })}>
            More guests
          </Link>
        </li>
      ) : null}
    </ul>
  );
}

const route = getRouteApi('/');

export function OverviewPage() {
  const { pool } = route.useSearch();
  const [window, setWindow] = useState<OverviewWindow>('24h');
  return (
    <Page
      title={texts.pages.overview}
      actions={
        <ChoiceField
          label={texts.fields.period}
          value={window}
          choices={choicesOf(overviewWindows, texts.periods)}
          onChange={setWindow}
        />
      }
    >
      <StartInvitation />
      <Loaded query={overviewQuery(pool, window)}>
        {(overview) => (
          <>
            <Figures overview={overview} pool={pool} />
            <NeedsAttention pool={pool} />
            <Charts overview={overview} />
          </>
        )}
      </Loaded>
      <RecentAlerts />
    </Page>
  );
}

function Figures({ overview, pool }: { readonly overview: Overview; readonly pool: string | undefined }) {
  const { waiting, dead, failingDestinations, pausedDestinations, oldestWaitingAt } = overview;
  return (
    <ul className={styles.figures}>
      <Figure label="Waiting" value={count(waiting)}>
        {oldestWaitingAt === null ? (
          'Nothing waiting'
        ) : (
          <>
            Oldest <DateTime value={oldestWaitingAt} style="relative" />
          </>
        )}
      </Figure>
      <Figure label="Failed" value={count(dead)} isBad={dead > 0}>
        <Link to="/deliveries" search={{ pool, state: 'dead' }}>
          Show failed
        </Link>
      </Figure>
      <Figure label="Failing destinations" value={count(failingDestinations)} isBad={failingDestinations > 0}>
        {pausedDestinations === 0 ? 'None paused' : `${count(pausedDestinations)} paused`}
      </Figure>
      <Figure label="Delivered" value={count(overview.delivered)}>
        {plural(overview.failed, 'attempt failed', 'attempts failed')}
      </Figure>
    </ul>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly isBad?: boolean;
  readonly children: React.ReactNode;
}

function Figure({ label, value, isBad = false, children }: FigureProps) {
  return (
    <li className={styles.figure}>
      <span className="muted">{label}</span>
      <strong className={isBad ? styles.bad : undefined}>{value}</strong>
      <span className="muted">{children}</span>
    </li>
  );
}

function Charts({ overview }: { readonly overview: Overview }) {
  const { buckets } = overview;
  const times = useMemo(() => buckets.map(({ at }) => Date.parse(at) / 1_000), [buckets]);
  const throughput = useMemo<readonly Series[]>(
    () => [
      {
        label: 'Delivered',
        color: '--good',
        values: buckets.map(({ delivered }) => delivered),
        isFilled: true,
      },
      { label: 'Failed attempts', color: '--bad', values: buckets.map(({ failed }) => failed) },
    ],
    [buckets],
  );
  const latency = useMemo<readonly Series[]>(
    () => [
      { label: 'Median', color: '--accent', values: buckets.map(({ medianMs }) => medianMs) },
      { label: '95th percentile', color: '--warning', values: buckets.map(({ p95Ms }) => p95Ms) },
    ],
    [buckets],
  );
  return (
    <div className={styles.charts}>
      <Card title="Throughput">
        <Chart
          summary={`${count(overview.delivered)} delivered and ${plural(overview.failed, 'attempt', 'attempts')} failed in this period.`}
          times={times}
          series={throughput}
        />
      </Card>
      <Card title="Response time of destinations">
        <Chart
          summary="The median and the 95th percentile of the response times of destinations."
          times={times}
          series={latency}
          unit=" ms"
        />
      </Card>
    </div>
  );
}

const shownAlerts = 5;

/** The latest alerts; renders nothing if none was sent. */
function RecentAlerts() {
  const { data: sent = [] } = useQuery(sentAlertsQuery);
  if (sent.length === 0) return null;
  return (
    <Card title="Alerts" isFlush>
      <SentAlerts sent={sent.slice(0, shownAlerts)} />
    </Card>
  );
}

function NeedsAttention({ pool }: { readonly pool: string | undefined }) {
  const { data = [] } = useQuery(destinationsQuery);
  const failing = data
    .filter((one) => needsAttention(one) && (pool === undefined || one.pool === pool))
    .toSorted((one, other) => urgencyWithWaiting(other) - urgencyWithWaiting(one));
  return (
    <Card title="Needs attention" isFlush>
      {failing.length === 0 ? (
        <Empty title="All destinations are working">
          Booking systems and webhooks that fail or are paused appear here.
        </Empty>
      ) : (
        <ul>
          {failing.map((destination) => (
            <li key={destination.id} className={styles.failing}>
              <DestinationBadge destination={destination} />
              <DestinationName id={destination.id} of={destination} />
              <Link to="/pools/$pool" params={{ pool: destination.pool }} className="muted">
                <PoolName id={destination.pool} />
              </Link>
              {destination.firstFailureAt === undefined ? null : (
                <span className="muted">
                  {texts.fields.failingSince} <DateTime value={destination.firstFailureAt} style="relative" />
                </span>
              )}
              <span className="muted">{`${count(destination.waiting)} waiting`}</span>
              {destination.waiting === 0 ? null : <WaitingGuests destination={destination} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
