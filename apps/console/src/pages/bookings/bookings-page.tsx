import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { BookingSystemChoice } from '../../components/booking-system-choice.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { texts } from '../../text/english.ts';
import { BookingView } from './booking-view.tsx';
import styles from './bookings-page.module.css';
import { DayList } from './day-list.tsx';

const route = getRouteApi('/bookings');

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
        <BookingSystemChoice pool={pool} value={bookingSystem} onChange={setBookingSystem} />
        <Button type="submit" look="primary">
          {texts.bookings.read}
        </Button>
      </form>
    </Card>
  );
}
