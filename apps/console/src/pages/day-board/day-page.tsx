import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { serviceNow } from '../../api/client.ts';
import { kiosksQuery, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextField } from '../../components/field.tsx';
import { Loaded, Page } from '../../components/layout.tsx';
import { Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { ChoosePool } from '../../shell/shell.tsx';
import { texts } from '../../text/english.ts';
import { count, dayInZone, formatLongDay, shiftDay } from '../../text/formats.ts';
import styles from './day.module.css';
import { DayBoard } from './day-board.tsx';
import { dayQuery } from './day-query.ts';

/** A pool's kiosks with unsent signings, and since when; renders nothing if there are none. */
function WaitingAtKiosks({ pool }: { readonly pool: string }) {
  const { data = [] } = useQuery(kiosksQuery(pool));
  const waiting = data.filter((kiosk) => kiosk.waiting > 0);
  if (waiting.length === 0) return null;
  return (
    <Notice tone="warning">
      {waiting.map(({ id, name, waiting: signings, waitingSince }) => (
        <p key={id}>
          {signings === 1 ? '1 signing waits' : `${count(signings)} signings wait`} at the kiosk {name}, since{' '}
          <DateTime value={waitingSince} style="relative" />
        </p>
      ))}
    </Notice>
  );
}

const route = getRouteApi('/day');

/** The day board: who is expected on a day, who has signed, who has arrived. */
export function DayPage() {
  const { pool: id } = route.useSearch();
  const { data: pools, error } = useQuery(poolsQuery);
  const pool = pools?.find((one) => one.id === id);
  if (pool !== undefined) return <DayOfPool key={pool.id} pool={pool} />;
  return (
    <Page title={texts.pages.day}>
      <ProblemNotice error={error} />
      {id !== undefined && pools === undefined && error === null ? <Loading /> : <ChoosePool />}
    </Page>
  );
}

function DayOfPool({ pool: { id: pool, name, timeZone } }: { readonly pool: Pool }) {
  const today = dayInZone(timeZone, serviceNow());
  const { date = today } = route.useSearch();
  return (
    <Page
      title={texts.pages.day}
      lead={`Who is coming, who has signed, who has arrived. Times are in ${timeZone.replaceAll('_', ' ')}.`}
      actions={<Button onClick={() => print()}>Print</Button>}
    >
      <p className={styles.printTitle}>
        {name} · {formatLongDay(date)}
      </p>
      <ChooseDay date={date} today={today} />
      {date === today ? <WaitingAtKiosks pool={pool} /> : null}
      <Loaded query={dayQuery(pool, date)}>{(day) => <DayBoard day={day} />}</Loaded>
    </Page>
  );
}

function ChooseDay({ date, today }: { readonly date: string; readonly today: string }) {
  const navigate = route.useNavigate();
  const choose = (chosen: string) =>
    void navigate({
      search: (former) => ({ ...former, date: chosen === today || chosen === '' ? undefined : chosen }),
      replace: true,
    });
  return (
    <div className={styles.choose}>
      <h2 className={styles.date}>{formatLongDay(date)}</h2>
      <div className={styles.dates}>
        <Button aria-label="Previous day" onClick={() => choose(shiftDay(date, -1))}>
          ‹
        </Button>
        <Button onClick={() => choose(today)} aria-pressed={date === today}>
          Today
        </Button>
        <Button aria-label="Next day" onClick={() => choose(shiftDay(date, 1))}>
          ›
        </Button>
        <TextField
          label="Day"
          isLabelHidden
          type="date"
          value={date}
          onChange={choose}
          min="1970-01-02"
          max="2199-12-31"
        />
      </div>
    </div>
  );
}
