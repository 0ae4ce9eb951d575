import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Day, DayBooking } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { FilterChoice, Filters } from '../../components/filters.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';
import { formatTimeIn } from '../../text/formats.ts';
import { BookingCard } from './booking-card.tsx';
import styles from './day.module.css';
import { useTick } from './day-query.ts';
import { activitiesOf, filterDay, firstGroups, type ShownGroup } from './filter-day.ts';
import { ScanField } from './scan-field.tsx';
import { ShownDay } from './shown-day.ts';
import { shownGuests } from './shown-guests.ts';
import { DaySources } from './sources.tsx';
import { WalkIns } from './walk-ins.tsx';

const route = getRouteApi('/day');
const maxFirstBookings = 24;
const maxPastMs = 3 * 86_400_000;

/** A whole day, narrowed by the filter. */
export function DayBoard({ day }: { readonly day: Day }) {
  const { pool, date } = day;
  const { may } = useSession();
  const tick = useTick(pool, date);
  const navigate = route.useNavigate();
  const { show, activity } = route.useSearch();
  const [text, setText] = useState('');
  const [booking, setBooking] = useState<Pick<DayBooking, 'bookingSystem' | 'bookingId'>>();
  const found = useDeferredValue(text);
  const shown = useMemo(
    () => filterDay(day, { show, activity, text: found, booking }),
    [day, show, activity, found, booking],
  );
  // Renders the first screen at once, and the rest of a large day after it.
  const drawn = useDeferredValue(Number.POSITIVE_INFINITY, maxFirstBookings);
  const isOperator = may('operator');
  const context = useMemo(
    () => ({ timeZone: day.timeZone, tick: isOperator ? tick : undefined }),
    [day.timeZone, isOperator, tick],
  );
  const hasNobody = day.bookings.length === 0 && (day.walkIns ?? []).length === 0;
  const showAll = () => {
    setText('');
    setBooking(undefined);
    void navigate({ search: ({ pool, date }) => ({ pool, date }), replace: true });
  };
  return (
    <ShownDay value={context}>
      <Counts day={day} />
      <DaySources sources={day.sources} />
      {day.isCut ? <Notice tone="warning">{dayTexts.cut}</Notice> : null}
      {day.hasForm ? null : <NoForm pool={pool} />}
      <Card isFlush>
        <Filters
          search={
            <ScanField
              pool={pool}
              day={day}
              text={text}
              onText={(typed) => {
                setText(typed);
                setBooking(undefined);
              }}
              onBooking={setBooking}
            />
          }
          values={[show, activity]}
        >
          <FilterChoice
            label={dayTexts.show}
            anyLabel={dayTexts.everyone}
            value={show}
            choices={shownGuests.map((one) => [one, dayTexts.shows[one]] as const)}
            onChange={(chosen) =>
              void navigate({ search: (former) => ({ ...former, show: chosen }), replace: true })
            }
          />
          <FilterChoice
            label={dayTexts.activity}
            value={activity}
            choices={activitiesOf(day).map((one) => [one, one] as const)}
            onChange={(chosen) =>
              void navigate({ search: (former) => ({ ...former, activity: chosen }), replace: true })
            }
          />
        </Filters>
        {hasNobody ? <NoBookings day={day} /> : null}
        {!hasNobody && shown.groups.length === 0 && shown.walkIns.length === 0 ? (
          <Empty title={dayTexts.noMatch}>
            {dayTexts.noMatchHint}
            <br />
            <Button size="small" onClick={showAll}>
              {dayTexts.showAll}
            </Button>
          </Empty>
        ) : null}
        {firstGroups(shown.groups, drawn).map((group) => (
          <Group key={`${group.startsAt} ${group.activity ?? ''}`} group={group} day={day} />
        ))}
      </Card>
      <WalkIns day={day} walkIns={shown.walkIns} />
    </ShownDay>
  );
}

function Counts({ day: { counts } }: { readonly day: Day }) {
  const { bookings, guests, signed, missing, arrived } = dayTexts.counts;
  return (
    <ul className={styles.counts} aria-live="off">
      <li>{bookings(counts.bookings)}</li>
      <li>{guests(counts.guests)}</li>
      <li>{signed(counts.signed)}</li>
      <li className={counts.missing > 0 ? styles.missing : ''}>{missing(counts.missing)}</li>
      <li>{arrived(counts.arrived)}</li>
    </ul>
  );
}

function Group({ group, day }: { readonly group: ShownGroup; readonly day: Day }) {
  const { startsAt, endsAt, activity, bookings } = group;
  const time = (at: string) => formatTimeIn(day.timeZone, new Date(at));
  const open = bookings.filter(({ booking }) => !booking.isCancelled);
  const sum = (of: (booking: DayBooking) => number) =>
    open.reduce((total, { booking }) => total + of(booking), 0);
  return (
    <section
      className={styles.group}
      aria-label={`${time(startsAt)} ${activity ?? dayTexts.unnamedActivity}`}
    >
      <h3 className={styles.session}>
        <span>
          <time dateTime={startsAt}>{time(startsAt)}</time>
          {endsAt === undefined ? null : `–${time(endsAt)}`} {activity ?? dayTexts.unnamedActivity}
        </span>
        <span className="muted">
          {texts.bookings.signedOf(
            sum(({ signed }) => signed),
            sum(({ expected }) => expected),
          )}{' '}
          ·{' '}
          {dayTexts.arrivedOf(
            sum(({ arrived }) => arrived),
            sum(({ expected }) => expected),
          )}
        </span>
      </h3>
      <ul>
        {bookings.map(({ booking, guestKeys }) => (
          <BookingCard
            key={`${booking.bookingSystem} ${booking.bookingId}`}
            pool={day.pool}
            booking={booking}
            guestKeys={guestKeys}
          />
        ))}
      </ul>
    </section>
  );
}

const NoForm = ({ pool }: { readonly pool: string }) => (
  <Notice tone="warning" title={dayTexts.noForm}>
    <p>
      {dayTexts.noFormHint}{' '}
      <Link to="/forms" search={{ pool }}>
        {dayTexts.openForms}
      </Link>
    </p>
  </Notice>
);

function NoBookings({ day: { pool, date, today, sources } }: { readonly day: Day }) {
  if (sources.length === 0) {
    return (
      <Empty title={dayTexts.noSystem}>
        {dayTexts.noSystemHint}
        <br />
        <Link to="/pools/$pool" params={{ pool }}>
          {dayTexts.openPool}
        </Link>
      </Empty>
    );
  }
  if (sources.some(({ isReading }) => isReading)) {
    return <Empty title={dayTexts.reading}>{dayTexts.readingHint}</Empty>;
  }
  const isPast = Date.parse(date) < Date.parse(today) - maxPastMs;
  const hint: ReactNode = isPast ? dayTexts.past : dayTexts.noneHint;
  return <Empty title={dayTexts.none}>{hint}</Empty>;
}
