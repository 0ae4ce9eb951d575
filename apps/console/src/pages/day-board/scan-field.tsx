import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { scannedLinkQuery } from '../../api/queries.ts';
import type { Day, DayBooking } from '../../api/resources.ts';
import { handleSubmit, TextField } from '../../components/field.tsx';
import { useSession } from '../../session/session.tsx';
import styles from './day.module.css';
import { tokenIn } from './filter-day.ts';

interface ScanFieldProps {
  readonly pool: string;
  readonly day: Day;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Called with a scanned link's booking. */
  readonly onBooking: (booking: Pick<DayBooking, 'bookingSystem' | 'bookingId'> | undefined) => void;
}

/** For typing, and for scanners that act as a keyboard. */
export function ScanField({ pool, day, text, onText, onBooking }: ScanFieldProps) {
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
