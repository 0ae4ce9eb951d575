import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import type { Day, DayBooking } from '../../api/resources.ts';
import { TextField } from '../../components/field.tsx';
import { useSession } from '../../session/session.tsx';
import { dayTexts } from '../../text/english/day.ts';
import styles from './day.module.css';
import { tokenIn } from './filter-day.ts';
import { scannedLinkQuery } from './scanned-link.ts';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    input.current?.select();
  };
  const isHere = day.bookings.some(
    (one) => one.bookingId === bookingId && one.bookingSystem === bookingSystem,
  );
  return (
    <form onSubmit={submit}>
      <TextField
        ref={input}
        label={dayTexts.search}
        hint={dayTexts.searchHint}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        value={text}
        onChange={onText}
        maxLength={2_000}
        error={token === undefined ? undefined : error?.message}
      />
      <div className={styles.scanned} role="status">
        {linked === undefined ? null : linked.revokedAt === null ? null : <p>{dayTexts.revokedLink}</p>}
        {linked !== undefined && bookingId === null ? <p>{dayTexts.deskLink}</p> : null}
        {bookingId && !isHere ? (
          <p>
            {dayTexts.otherDay(bookingId)}{' '}
            <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem: bookingSystem ?? undefined }}>
              {dayTexts.openBooking}
            </Link>
          </p>
        ) : null}
      </div>
    </form>
  );
}
