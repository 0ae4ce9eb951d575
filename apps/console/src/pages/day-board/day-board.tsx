import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { shownGuests } from '../../api/choices.ts';
import { scannedLinkQuery } from '../../api/queries.ts';
import type { Day, DayBooking, DaySource } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { bind, choicesOf, handleSubmit, TextField } from '../../components/field.tsx';
import { FilterChoice, Filters } from '../../components/filters.tsx';
import { Card } from '../../components/layout.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { count, formatTimeIn, plural } from '../../text/formats.ts';
import styles from './day.module.css';
import { useTick } from './day-query.ts';
import { BookingCard, ShownDay, WalkIns } from './day-rows.tsx';
import { activitiesOf, filterDay, firstGroups, type ShownGroup, tokenIn } from './filter-day.ts';

interface ScanFieldProps {
  readonly pool: string;
  readonly day: Day;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Called with a scanned link's booking. */
  readonly onBooking: (booking: Pick<DayBooking, 'bookingSystem' | 'bookingId'> | undefined) => void;
}

/** For typing, and for scanners that act as a keyboard. */
function ScanField({ pool, day, text, onText, onBooking }: ScanFieldProps) {
  const { may } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const token = may('operator') ? tokenIn(text) : undefined;
  const { data: link, error } = useQuery({
    ...scannedLinkQuery(pool, token ?? ''),
    enabled: token !== undefined,
  });
  const linked = token === undefined ? undefined : link;
  const { bookingSystem, bookingId } = linked ?? {};
  const apply = useRef(onBooking);
  apply.current = onBooking;
  useEffect(() => {
    if (bookingSystem && bookingId) apply.current({ bookingSystem, bookingId });
  }, [bookingSystem, bookingId]);
  // A scanner ends with Enter: select the text, so that the next code replaces it.
  const submit = handleSubmit(() => input.current?.select());
  const isHere = day.bookings.some(
    (one) => one.bookingId === bookingId && one.bookingSystem === bookingSystem,
  );
  return (
    <form onSubmit={submit}>
      <TextField
        ref={input}
        label="Search or scan"
        hint="Guest, booker, booking, or a scanned link"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        value={text}
        onChange={onText}
        maxLength={2_000}
        error={token === undefined ? undefined : error?.message}
      />
      <div className={styles.scanned} role="status">
        {linked === undefined ? null : linked.revokedAt === null ? null : <p>This link was revoked.</p>}
        {linked !== undefined && bookingId === null ? (
          <p>This is the link of the desk: it belongs to no booking.</p>
        ) : null}
        {bookingId && !isHere ? (
          <p>
            {`The link is for booking ${bookingId}, which is not on this day.`}{' '}
            <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem: bookingSystem ?? undefined }}>
              Open the booking
            </Link>
          </p>
        ) : null}
      </div>
    </form>
  );
}

/** When each booking system was last read for the day, and which could not be read. */
function DaySources({ sources }: { readonly sources: readonly DaySource[] }) {
  const failed = sources.filter(({ problem }) => problem !== null);
  return (
    <>
      {failed.map(({ bookingSystem, displayName, problem }) => (
        <Notice key={bookingSystem} tone="warning">
          {`${displayName} could not be read: ${problem?.message ?? ''}`}
        </Notice>
      ))}
      <ul className={`${styles.sources} muted`}>
        {sources
          .filter(({ problem }) => problem === null)
          .map((source) => (
            <li key={source.bookingSystem}>
              <Source {...source} />
            </li>
          ))}
      </ul>
    </>
  );
}

function Source({ displayName, lists, readAt, isReading, unreadable, isCut }: DaySource) {
  if (!lists) return `${displayName} cannot list bookings: only those that were read or announced are shown.`;
  const remarks = [
    ...(unreadable === 0 ? [] : [`${plural(unreadable, 'booking', 'bookings')} could not be read`]),
    ...(isCut ? ['has more bookings than are shown'] : []),
  ];
  return (
    <>
      {readAt === null ? (
        isReading ? (
          `${displayName}: being read`
        ) : (
          displayName
        )
      ) : (
        <>
          {displayName}: read <DateTime value={readAt} style="relative" />
        </>
      )}
      {remarks.map((remark) => `, ${remark}`)}
    </>
  );
}

const route = getRouteApi('/day');
const shownNames = { missing: 'Missing', 'not-arrived': 'Not arrived', flags: 'With something to note' };
const maxFirstBookings = 24;
const maxPastMs = 3 * 86_400_000;

/** A whole day, narrowed by the filter. */
export function DayBoard({ day }: { readonly day: Day }) {
  const { pool, date } = day;
  const { may } = useSession();
  const tick = useTick(pool, date);
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { show, activity } = search;
  const filter = bind(search, (next) => void navigate({ search: next, replace: true }));
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
      {day.isCut ? (
        <Notice tone="warning">There are more bookings or walk-ins on this day than can be shown.</Notice>
      ) : null}
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
            label="Show"
            anyLabel="Everyone"
            choices={choicesOf(shownGuests, shownNames)}
            {...filter('show')}
          />
          <FilterChoice
            label="Activity"
            choices={activitiesOf(day).map((one) => [one, one] as const)}
            {...filter('activity')}
          />
        </Filters>
        {hasNobody ? <NoBookings day={day} /> : null}
        {!hasNobody && shown.groups.length === 0 && shown.walkIns.length === 0 ? (
          <Empty title="No matching guests">
            Search for something else, or show everyone.
            <br />
            <Button size="small" onClick={showAll}>
              Show everyone
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
  return (
    <ul className={styles.counts} aria-live="off">
      <li>{plural(counts.bookings, 'booking', 'bookings')}</li>
      <li>{plural(counts.guests, 'guest', 'guests')}</li>
      <li>{`${count(counts.signed)} signed`}</li>
      <li className={counts.missing > 0 ? styles.missing : ''}>{`${count(counts.missing)} missing`}</li>
      <li>{`${count(counts.arrived)} arrived`}</li>
    </ul>
  );
}

function Group({ group, day }: { readonly group: ShownGroup; readonly day: Day }) {
  const { startsAt, endsAt, bookings } = group;
  const activity = group.activity ?? 'Session';
  const time = (at: string) => formatTimeIn(day.timeZone, new Date(at));
  const open = bookings.filter(({ booking }) => !booking.isCancelled);
  const sum = (of: (booking: DayBooking) => number) =>
    open.reduce((total, { booking }) => total + of(booking), 0);
  const expected = sum((booking) => booking.expected);
  return (
    <section className={styles.group} aria-label={`${time(startsAt)} ${activity}`}>
      <h3 className={styles.session}>
        <span>
          <time dateTime={startsAt}>{time(startsAt)}</time>
          {endsAt === undefined ? null : `–${time(endsAt)}`} {activity}
        </span>
        <span className="muted">
          {texts.bookings.signedOf(
            sum(({ signed }) => signed),
            expected,
          )}
          {` · ${count(sum(({ arrived }) => arrived))} of ${count(expected)} here`}
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
  <Notice tone="warning" title="This pool has no published form">
    <p>
      Until there is one, guests cannot sign by a link, and everyone is missing here.{' '}
      <Link to="/forms" search={{ pool }}>
        Open the forms
      </Link>
    </p>
  </Notice>
);

function NoBookings({ day: { pool, date, today, sources } }: { readonly day: Day }) {
  if (sources.length === 0) {
    return (
      <Empty title="No booking system is installed">
        Bookings come from the pool’s booking system. Walk-ins are shown all the same.
        <br />
        <Link to="/pools/$pool" params={{ pool }}>
          Open the pool
        </Link>
      </Empty>
    );
  }
  if (sources.some(({ isReading }) => isReading)) {
    return <Empty title="Bookings are being read">They appear here within moments.</Empty>;
  }
  const isPast = Date.parse(date) < Date.parse(today) - maxPastMs;
  const hint: ReactNode = isPast
    ? 'Bookings are known until two days after their last session.'
    : 'Choose another day, or read a booking by its id: it appears here from then on.';
  return <Empty title="No bookings on this day">{hint}</Empty>;
}
