import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { DayBooking } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { SendLinkButton } from '../../components/send-link-button.tsx';
import { dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';
import { BookingLinkDialog } from '../bookings/booking-check-in.tsx';
import { SignedCount } from '../bookings/signed-count.tsx';
import styles from './day.module.css';
import { GuestRow } from './guest-row.tsx';
import { useShownDay } from './shown-day.ts';
import { keysOfGuest } from './ticks.ts';

interface BookingCardProps {
  readonly pool: string;
  readonly booking: DayBooking;
  /** As in `ShownBooking`. */
  readonly guestKeys: string | undefined;
}

/** Whether a status needs no badge. Without a plugin's `statusGroup`, by the contract's own word for active. */
const isActive = ({ status, statusGroup }: DayBooking) =>
  status === null || statusGroup === 'active' || (statusGroup === null && status === 'Active');

/** A booking with its guests. Memoized: a day may have hundreds. */
export const BookingCard = memo(function BookingCard({ pool, booking, guestKeys }: BookingCardProps) {
  const { bookingSystem, bookingId, reference, booker, notes, status, guests } = booking;
  const { signed, expected, arrived, fetchedAt, isCancelled } = booking;
  const keys = guestKeys?.split('\n');
  const shown = guests?.filter(({ key }) => keys === undefined || keys.includes(key)) ?? [];
  return (
    <li className={styles.booking}>
      <div className={styles.head}>
        <h4 className={styles.title}>
          <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
            {reference}
          </Link>{' '}
          {booker}
        </h4>
        {isCancelled ? <Badge tone="bad">{dayTexts.cancelled}</Badge> : null}
        {isCancelled || isActive(booking) ? null : <Badge>{status}</Badge>}
        {fetchedAt === null ? <Badge>{dayTexts.unread}</Badge> : null}
        <SignedCount waivers={{ signed, pax: fetchedAt === null ? null : expected }} />
        <span className="muted">{dayTexts.arrivedOf(arrived, expected)}</span>
        {isCancelled ? null : <BookingActions pool={pool} booking={booking} />}
      </div>
      {notes === null ? null : (
        <p className={styles.notes}>
          <span className="visually-hidden">{dayTexts.notes}: </span>
          {notes}
        </p>
      )}
      <ul className={styles.guests}>
        {shown.map((guest) => (
          <GuestRow key={guest.key} pool={pool} booking={booking} guest={guest} />
        ))}
      </ul>
    </li>
  );
});

/** Renders nothing for people who may not tick guests. */
function BookingActions({ pool, booking }: Omit<BookingCardProps, 'guestKeys'>) {
  const { tick } = useShownDay();
  const { bookingSystem, bookingId, reference, guests, signed, expected } = booking;
  if (tick === undefined || guests === null) return null;
  const areAllThere = guests.length > 0 && guests.every(({ arrival }) => arrival !== null);
  const keys = guests
    .filter(({ arrival }) => areAllThere || arrival === null)
    .flatMap((guest) => (areAllThere ? keysOfGuest(guest) : [guest.key]));
  const { link, linkOf, allArrived, allArrivedOf, undo, undoOf } = dayTexts;
  return (
    <span className={styles.actions}>
      {guests.length === 0 ? null : (
        <Button
          size="small"
          aria-label={areAllThere ? undoOf(reference) : allArrivedOf(reference)}
          onClick={() => tick({ booking: { bookingSystem, bookingId }, keys, arrived: !areAllThere })}
        >
          {areAllThere ? undo : allArrived}
        </Button>
      )}
      <DialogButton
        size="small"
        label={link}
        aria-label={linkOf(reference)}
        dialog={(close) => (
          <BookingLinkDialog
            onClose={close}
            pool={pool}
            bookingSystem={bookingSystem}
            bookingId={bookingId}
          />
        )}
      />
      {signed >= expected ? null : (
        <SendLinkButton
          size="small"
          aria-label={texts.invitations.sendOf(reference)}
          pool={pool}
          bookingSystem={bookingSystem}
          bookingId={bookingId}
        />
      )}
    </span>
  );
}
