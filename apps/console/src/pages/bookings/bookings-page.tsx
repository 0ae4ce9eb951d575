import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { installationsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
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
