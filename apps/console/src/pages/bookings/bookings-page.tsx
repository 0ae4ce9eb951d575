import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { bookingQuery, installationsQuery } from '../../api/queries.ts';
import type { BookingAnswer } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { texts } from '../../text/english.ts';
import styles from './bookings-page.module.css';
import { DayList } from './day-list.tsx';
import { SignedCount } from './signed-count.tsx';

const route = getRouteApi('/bookings');

/** One booking as its booking system has it, its guests, and who has signed. */
export function BookingsPage() {
  const { pool, id, bookingSystem } = route.useSearch();
  return (
    <Page title={texts.pages.bookings} lead={texts.bookings.lead}>
      {pool === undefined ? (
        <ChoosePool />
      ) : (
        <>
          <FindBooking key={`${pool} ${id ?? ''}`} pool={pool} />
          {id === undefined ? (
            <DayList pool={pool} bookingSystem={bookingSystem} />
          ) : (
            <BookingView pool={pool} id={id} bookingSystem={bookingSystem} />
          )}
        </>
      )}
    </Page>
  );
}

function FindBooking({ pool }: { readonly pool: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: installations = [] } = useQuery(installationsQuery(pool));
  const [id, setId] = useState(search.id ?? '');
  const [bookingSystem, setBookingSystem] = useState(search.bookingSystem ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      search: (former) => ({
        ...former,
        id: id.trim() || undefined,
        bookingSystem: bookingSystem || undefined,
      }),
    });
  };
  return (
    <Card>
      <form className={styles.find} onSubmit={submit}>
        <TextField label={texts.bookings.id} value={id} onChange={setId} maxLength={256} />
        {installations.length > 1 ? (
          <ChoiceField
            label={texts.fields.bookingSystem}
            value={bookingSystem}
            choices={[
              ['', texts.bookings.defaultSystem],
              ...installations.map((one) => [one.bookingSystem, one.bookingSystem] as const),
            ]}
            onChange={setBookingSystem}
          />
        ) : null}
        <Button type="submit" look="primary">
          {texts.bookings.read}
        </Button>
      </form>
    </Card>
  );
}

interface BookingViewProps {
  readonly pool: string;
  readonly id: string;
  readonly bookingSystem: string | undefined;
}

function BookingView({ pool, id, bookingSystem }: BookingViewProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(bookingQuery(pool, id, bookingSystem));
  useEffect(() => {
    if (data !== undefined) document.title = `${data.booking.id} · ${texts.product}`;
  }, [data]);
  if (isPending) return <Loading />;
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />;
  const { booking, form, waivers, warnings, stale, fetchedAt, booker } = data;
  return (
    <>
      {stale ? (
        <Notice tone="warning" title={texts.bookings.stale}>
          {texts.bookings.staleHint}
        </Notice>
      ) : null}
      {warnings.length === 0 ? null : (
        <Notice tone="warning" title={texts.bookings.warnings(warnings.length)}>
          <ul>
            {warnings.map(({ code, path, message }) => (
              <li key={`${code} ${path ?? ''} ${message}`}>
                {path === undefined ? null : <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Card
        title={booking.id}
        actions={
          <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
            {texts.bookings.readAgain}
          </Button>
        }
      >
        <Facts
          items={[
            [texts.fields.status, <Badge key="status">{String(booking.status ?? '–')}</Badge>],
            [texts.bookings.signed, <SignedCount key="signed" waivers={waivers} />],
            [texts.fields.contact, contactOf('contact' in booking ? (booking.contact ?? booker) : booker)],
            [texts.fields.bookingSystem, data.bookingSystem],
            [texts.bookings.form, texts.forms[form]],
            [texts.bookings.fetched, <DateTime key="fetched" value={fetchedAt} />],
          ]}
        />
      </Card>
      <Card title={texts.bookings.sessions}>
        <ul className={styles.list}>
          {booking.bookedSessions?.map(({ startsAt, endsAt, activityName, activityId }) => (
            <li key={`${startsAt} ${activityId ?? ''} ${activityName ?? ''}`}>
              <strong>{activityName ?? texts.bookings.unnamedSession}</strong>
              <br />
              <DateTime value={startsAt} />{' '}
              {endsAt === undefined ? null : (
                <>
                  – <DateTime value={endsAt} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title={texts.bookings.guests}>
        <GuestList pool={pool} guests={data.guests} />
      </Card>
      <Card title={texts.bookings.normalized}>
        <JsonView value={booking} label={texts.bookings.normalized} />
      </Card>
    </>
  );
}

function contactOf(contact: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  if (contact === null || contact === undefined) return undefined;
  const { name, email, phoneNumber } = contact;
  return (
    [name, email, phoneNumber].filter((one) => typeof one === 'string' && one !== '').join(' · ') || undefined
  );
}

interface GuestListProps {
  readonly pool: string;
  readonly guests: BookingAnswer['guests'];
}

function GuestList({ pool, guests }: GuestListProps) {
  if (guests === null) return <Notice>{texts.waivers.redacted}</Notice>;
  if (guests.length === 0) return <Empty title={texts.bookings.noGuests} />;
  return (
    <ul className={styles.list}>
      {guests.map(({ bookingGuestId, prefill, waiverId, signed }, index) => (
        <li key={bookingGuestId ?? index} className={styles.guest}>
          <span>
            <strong>{contactOf(prefill) ?? texts.bookings.unnamedGuest}</strong>
            <br />
            <span className="muted">{bookingGuestId}</span>
          </span>
          {waiverId === undefined ? (
            <Badge tone="warning">{texts.bookings.missing}</Badge>
          ) : (
            <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
              {signed ? texts.waivers.signed : texts.waivers.underWay}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
