import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { overviewWindows } from '../../api/choices.ts';
import { destinationsQuery, overviewQuery, sentAlertsQuery } from '../../api/queries.ts';
import type { Overview, OverviewWindow } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { Chart, type Series, throughputSeries } from '../../components/chart.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PoolName } from '../../components/pool-name.tsx';
import { DestinationBadge } from '../../components/state-badge.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import { SentAlerts } from '../alerts/sent-alerts.tsx';
import { DestinationName } from '../deliveries/destination-name.tsx';
import { needsAttention, urgencyWithWaiting } from '../destinations/urgency.ts';
import { StartInvitation } from '../start/start-invitation.tsx';
import styles from './overview-page.module.css';
import { WaitingGuests } from './waiting-guests.tsx';

const route = getRouteApi('/');

export function OverviewPage() {
  const { pool } = route.useSearch();
  const [window, setWindow] = useState<OverviewWindow>('24h');
  const query = useQuery(overviewQuery(pool, window));
  return (
    <Page
      title={texts.pages.overview}
      actions={
        <ChoiceField
          label={texts.filters.period}
          value={window}
          choices={overviewWindows.map((one) => [one, texts.periods[one]] as const)}
          onChange={setWindow}
        />
      }
    >
      <StartInvitation />
      <Loaded query={query}>
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

interface FiguresProps {
  readonly overview: Overview;
  readonly pool: string | undefined;
}

function Figures({ overview, pool }: FiguresProps) {
  const { waiting, dead, failingDestinations, pausedDestinations, oldestWaitingAt } = overview;
  return (
    <ul className={styles.figures}>
      <Figure label={texts.overview.waiting} value={count(waiting)}>
        {oldestWaitingAt === null ? (
          texts.overview.nothingWaits
        ) : (
          <>
            {texts.overview.oldest} <DateTime value={oldestWaitingAt} style="relative" />
          </>
        )}
      </Figure>
      <Figure label={texts.overview.dead} value={count(dead)} isBad={dead > 0}>
        <Link to="/deliveries" search={{ pool, state: 'dead' }}>
          {texts.overview.show}
        </Link>
      </Figure>
      <Figure
        label={texts.overview.failing}
        value={count(failingDestinations)}
        isBad={failingDestinations > 0}
      >
        {texts.overview.paused(pausedDestinations)}
      </Figure>
      <Figure label={texts.overview.delivered} value={count(overview.delivered)}>
        {texts.overview.attemptsFailed(overview.failed)}
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
  const throughput = useMemo(
    () =>
      throughputSeries(
        buckets.map(({ delivered }) => delivered),
        buckets.map(({ failed }) => failed),
      ),
    [buckets],
  );
  const latency = useMemo<readonly Series[]>(
    () => [
      { label: texts.overview.median, color: '--accent', values: buckets.map(({ medianMs }) => medianMs) },
      { label: texts.overview.p95, color: '--warning', values: buckets.map(({ p95Ms }) => p95Ms) },
    ],
    [buckets],
  );
  return (
    <div className={styles.charts}>
      <Card title={texts.overview.throughput}>
        <Chart
          summary={texts.overview.throughputSummary(overview.delivered, overview.failed)}
          times={times}
          series={throughput}
        />
      </Card>
      <Card title={texts.overview.latency}>
        <Chart summary={texts.overview.latencySummary} times={times} series={latency} unit=" ms" />
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
    <Card title={texts.alerts.recent} isFlush>
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
    <Card title={texts.overview.attention} isFlush>
      {failing.length === 0 ? (
        <Empty title={texts.overview.allWell}>{texts.overview.allWellHint}</Empty>
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
              <span className="muted">{texts.overview.waitingHere(destination.waiting)}</span>
              {destination.waiting === 0 ? null : <WaitingGuests destination={destination} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
