import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, useEffect, useState } from 'react';
import type { DayBooking, DayGuest } from '../../api/resources.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';
import { formatTimeIn } from '../../text/formats.ts';
import { AttachDialog } from './attach-dialog.tsx';
import styles from './day.module.css';
import { useShownDay } from './shown-day.ts';
import { keysOfGuest, type Tick } from './ticks.ts';

const tones: Readonly<Record<DayGuest['state'], Tone>> = {
  signed: 'good',
  begun: 'warning',
  missing: 'warning',
};

interface PersonRowProps {
  readonly pool: string;
  readonly name: string;
  readonly person: Pick<DayGuest, 'key' | 'placeKey' | 'state' | 'flags' | 'arrival' | 'waiverId'>;
  readonly booking: Tick['booking'];
  readonly children?: ReactNode;
}

/** A person: whether they have arrived and signed, and the flags of their answers. */
export function PersonRow({ pool, name, person, booking, children }: PersonRowProps) {
  const { key, state, flags, arrival, waiverId } = person;
  const { arrivedAt } = dayTexts;
  const { tick, timeZone } = useShownDay();
  // Shows the tick at once; the day's data follows a moment later.
  const [ticked, setTicked] = useState<boolean>();
  useEffect(() => setTicked(undefined), [arrival]);
  const change = (arrived: boolean) => {
    setTicked(arrived);
    tick?.({
      booking,
      keys: arrived || booking === undefined ? [key] : keysOfGuest(person),
      arrived,
    });
  };
  return (
    <li className={styles.guest}>
      <label
        className={styles.name}
        title={
          arrival === null ? undefined : arrivedAt(formatTimeIn(timeZone, new Date(arrival.at)), arrival.by)
        }
      >
        <input
          type="checkbox"
          checked={ticked ?? arrival !== null}
          disabled={tick === undefined}
          onChange={({ target }) => change(target.checked)}
          aria-label={dayTexts.hasArrived(name)}
        />
        <span>{name}</span>
      </label>
      <span className={styles.state}>
        {waiverId === undefined ? (
          <Badge tone={tones[state]}>{dayTexts.states[state]}</Badge>
        ) : (
          <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }} className={styles.waiver ?? ''}>
            <Badge tone={tones[state]}>{dayTexts.states[state]}</Badge>
          </Link>
        )}
        {flags.map((flag) => (
          <span key={flag} className={styles.flag}>
            {flag}
          </span>
        ))}
        {children}
      </span>
    </li>
  );
}

interface GuestRowProps {
  readonly pool: string;
  readonly booking: DayBooking;
  readonly guest: DayGuest;
}

export const GuestRow = memo(
  function GuestRow({ pool, booking, guest }: GuestRowProps) {
    const { kind, key, waiverId } = guest;
    const { tick } = useShownDay();
    const name =
      guest.name ??
      (kind === 'unnamed' ? dayTexts.unnamed(Number(key.replace(/^place:/, ''))) : texts.guests.unnamed);
    return (
      <PersonRow pool={pool} name={name} person={guest} booking={booking}>
        {guest.validUntil === undefined ? null : (
          <span className="muted">{dayTexts.ranOut(guest.validUntil)}</span>
        )}
        {kind === 'extra' ? <span className="muted">{dayTexts.extra}</span> : null}
        {kind === 'extra' && waiverId !== undefined && tick !== undefined ? (
          <DialogButton
            size="small"
            label={dayTexts.attach}
            aria-label={dayTexts.attachOf(name)}
            dialog={(close) => (
              <AttachDialog
                onClose={close}
                pool={pool}
                waivers={[{ id: waiverId, name }]}
                booking={booking}
              />
            )}
          />
        ) : null}
      </PersonRow>
    );
  },
  // `booking` changes with any of its guests, but only the row of an extra guest depends on the rest of it.
  (before, after) =>
    before.guest === after.guest &&
    before.booking.bookingId === after.booking.bookingId &&
    (after.guest.kind !== 'extra' || before.booking === after.booking),
);
