import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveriesQuery } from '../../api/queries.ts';
import type { Destination } from '../../api/resources.ts';
import { GuestName } from '../../components/guest-name.tsx';
import { texts } from '../../text/english.ts';
import styles from './overview-page.module.css';

const maxShown = 3;

/** The latest guests with messages that a destination has yet to accept, with their bookings. */
export function WaitingGuests({ destination }: { readonly destination: Destination }) {
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
            {texts.overview.moreGuests}
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
