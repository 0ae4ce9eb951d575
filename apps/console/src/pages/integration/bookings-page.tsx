import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { isProblem, serviceNow } from '../../api/client.ts';
import { bookingsOfDayQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { BookingSystemChoice, handleSubmit, TextField } from '../../components/field.tsx';
import { Filters } from '../../components/filters.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { Badge, Empty, SignedCount } from '../../components/notice.tsx';
import { ChoosePool } from '../../shell/shell.tsx';
import { texts } from '../../text/english.ts';
import { BookingView } from './booking-view.tsx';
import styles from './integration.module.css';

/** The fields of a booking that the list shows. Viewers get no contact. */
interface ListedBooking {
  readonly bookingId: string;
  /** Null if it could not be read; `error` says why. */
  readonly booking: {
    readonly status: string;
    readonly bookedSessions?: readonly { readonly startsAt: string }[];
    readonly contact?: { readonly name?: string } | null;
  } | null;
  readonly waivers: { readonly signed: number; readonly pax: number | null };
  readonly error: { readonly message: string } | null;
}

const route = getRouteApi('/bookings');

const firstStart = ({ booking }: ListedBooking) => booking?.bookedSessions?.[0]?.startsAt;
const contactName = ({ booking }: ListedBooking) => booking?.contact?.name;

const columnsOf = (pool: string): readonly Column<ListedBooking>[] => [
  {
    heading: 'Starts',
    cell: (listed) => {
      const at = firstStart(listed);
      return at && <DateTime value={at} />;
    },
  },
  {
    heading: texts.fields.booking,
    cell: ({ bookingId }) => (
      <Link to="/bookings" search={(former) => ({ ...former, pool, id: bookingId })}>
        {bookingId}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.contact, cell: contactName },
  {
    heading: texts.fields.status,
    cell: ({ booking, error }) =>
      error === null ? <Badge>{booking?.status ?? '–'}</Badge> : <Badge tone="bad">{error.message}</Badge>,
    onCard: 'bare',
  },
  { heading: texts.pages.waivers, cell: ({ waivers }) => <SignedCount waivers={waivers} /> },
];

/** Today in the viewer's time zone, as a date field's value. */
function today(now: Date = serviceNow()): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

interface DayListProps {
  readonly pool: string;
  readonly bookingSystem: string | undefined;
}

/** The bookings of one day, if the booking system lists them. */
function DayList({ pool, bookingSystem }: DayListProps) {
  const { day = today() } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useMemo(() => columnsOf(pool), [pool]);
  const query = bookingsOfDayQuery(pool, day, bookingSystem);
  const { error } = useInfiniteQuery(query);
  return (
    <Card title="Bookings of a day" isFlush>
      <Filters
        search={
          <TextField
            label="Day"
            type="date"
            value={day}
            onChange={(chosen) =>
              void navigate({ search: (former) => ({ ...former, day: chosen || undefined }), replace: true })
            }
          />
        }
      />
      {error !== null && isProblem(error, 'listing_not_supported') ? (
        <Empty title="This booking system cannot list bookings">{error.message}</Empty>
      ) : (
        <PagedTable
          label="Bookings of a day"
          columns={columns}
          query={query}
          rowKey={({ bookingId }) => bookingId}
          empty={
            <Empty title="No bookings on this day">
              The booking system lists none that begin then. Choose another day, or read a booking by its id.
            </Empty>
          }
        />
      )}
    </Card>
  );
}

export function BookingsPage() {
  const { pool, id, bookingSystem } = route.useSearch();
  return (
    <Page
      title={texts.pages.bookings}
      lead="A booking as it is in its booking system now, and who has signed."
    >
      {pool === undefined ? (
        <ChoosePool />
      ) : (
        <>
          <FindBooking key={`${pool} ${id ?? ''}`} pool={pool} />
          {id === undefined ? (
            <DayList pool={pool} bookingSystem={bookingSystem} />
          ) : (
            <BookingView
              key={JSON.stringify([pool, id, bookingSystem])}
              pool={pool}
              id={id}
              bookingSystem={bookingSystem}
            />
          )}
        </>
      )}
    </Page>
  );
}

function FindBooking({ pool }: { readonly pool: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [id, setId] = useState(search.id ?? '');
  const [bookingSystem, setBookingSystem] = useState(search.bookingSystem ?? '');
  const submit = handleSubmit(
    () =>
      void navigate({
        search: (former) => ({
          ...former,
          id: id.trim() || undefined,
          bookingSystem: bookingSystem || undefined,
        }),
      }),
  );
  return (
    <Card>
      <form className={styles.find} onSubmit={submit}>
        <TextField label={texts.bookings.id} value={id} onChange={setId} maxLength={256} />
        <BookingSystemChoice pool={pool} value={bookingSystem} onChange={setBookingSystem} />
        <Button type="submit" look="primary">
          {texts.bookings.read}
        </Button>
      </form>
    </Card>
  );
}
