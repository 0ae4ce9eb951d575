import { Link } from '@tanstack/react-router';
import { createContext, memo, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Day, DayBooking, DayGuest, WalkIn } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { BookingLinkDialog, SendLinkButton } from '../../components/check-in-link.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { Card } from '../../components/layout.tsx';
import { Badge, SignedCount } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { count, formatCalendarDay, formatTimeIn } from '../../text/formats.ts';
import { AttachDialog } from './attach-dialog.tsx';
import styles from './day.module.css';
import { keysOfGuest, type Tick } from './day-query.ts';

/** Shared by the rows of a day. */
interface ShownDayContext {
  readonly timeZone: string;
  /** Undefined for people who may not tick guests. */
  readonly tick: ((tick: Tick) => void) | undefined;
}

export const ShownDay = createContext<ShownDayContext>({ timeZone: 'UTC', tick: undefined });
const useShownDay = () => useContext(ShownDay);

const badges: Readonly<Record<DayGuest['state'], ReactNode>> = {
  signed: <Badge tone="good">Signed</Badge>,
  begun: <Badge tone="warning">In progress</Badge>,
  missing: <Badge tone="warning">Missing</Badge>,
};

interface PersonRowProps {
  readonly pool: string;
  readonly name: string;
  readonly person: Pick<DayGuest, 'key' | 'placeKey' | 'state' | 'flags' | 'arrival' | 'waiverId'>;
  readonly booking: Tick['booking'];
  readonly children?: ReactNode;
}

/** A person: whether they have arrived and signed, and the flags of their answers. */
function PersonRow({ pool, name, person, booking, children }: PersonRowProps) {
  const { key, state, flags, arrival, waiverId } = person;
  const { tick, timeZone } = useShownDay();
  // Shows the tick at once; the day's data follows a moment later.
  const [ticked, setTicked] = useState<boolean>();
  useEffect(() => setTicked(undefined), [arrival]);
  const change = (arrived: boolean) => {
    setTicked(arrived);
    tick?.({ booking, keys: arrived || booking === undefined ? [key] : keysOfGuest(person), arrived });
  };
  return (
    <li className={styles.guest}>
      <label
        className={styles.name}
        title={
          arrival === null
            ? undefined
            : [formatTimeIn(timeZone, new Date(arrival.at)), arrival.by].filter(Boolean).join(', ')
        }
      >
        <input
          type="checkbox"
          checked={ticked ?? arrival !== null}
          disabled={tick === undefined}
          onChange={({ target }) => change(target.checked)}
          aria-label={`${name} has arrived`}
        />
        <span>{name}</span>
      </label>
      <span className={styles.state}>
        {waiverId === undefined ? (
          badges[state]
        ) : (
          <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }} className={styles.waiver ?? ''}>
            {badges[state]}
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

const GuestRow = memo(
  function GuestRow({ pool, booking, guest }: GuestRowProps) {
    const { kind, key, waiverId } = guest;
    const { tick } = useShownDay();
    const name =
      guest.name ??
      (kind === 'unnamed' ? `Guest ${count(Number(key.replace(/^place:/, '')))}` : texts.guests.unnamed);
    return (
      <PersonRow pool={pool} name={name} person={guest} booking={booking}>
        {guest.validUntil === undefined ? null : (
          <span className="muted">{`Ran out on ${formatCalendarDay(guest.validUntil)}`}</span>
        )}
        {kind === 'extra' ? <span className="muted">Not named in the booking</span> : null}
        {kind === 'extra' && waiverId !== undefined && tick !== undefined ? (
          <DialogButton
            size="small"
            label="Attach"
            aria-label={`Attach the waiver of ${name}`}
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
        {isCancelled ? <Badge tone="bad">Cancelled</Badge> : null}
        {isCancelled || isActive(booking) ? null : <Badge>{status}</Badge>}
        {fetchedAt === null ? <Badge>Being read again</Badge> : null}
        <SignedCount waivers={{ signed, pax: fetchedAt === null ? null : expected }} />
        <span className="muted">{`${count(arrived)} of ${count(expected)} here`}</span>
        {isCancelled ? null : <BookingActions pool={pool} booking={booking} />}
      </div>
      {notes === null ? null : (
        <p className={styles.notes}>
          <span className="visually-hidden">Notes: </span>
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
  const of = { pool, bookingSystem, bookingId };
  const areAllThere = guests.length > 0 && guests.every(({ arrival }) => arrival !== null);
  const keys = guests
    .filter(({ arrival }) => areAllThere || arrival === null)
    .flatMap((guest) => (areAllThere ? keysOfGuest(guest) : [guest.key]));
  return (
    <span className={styles.actions}>
      {guests.length === 0 ? null : (
        <Button
          size="small"
          aria-label={areAllThere ? `Undo: ${reference}` : `All here: ${reference}`}
          onClick={() => tick({ booking: { bookingSystem, bookingId }, keys, arrived: !areAllThere })}
        >
          {areAllThere ? 'Undo' : 'All here'}
        </Button>
      )}
      <DialogButton
        size="small"
        label="Link"
        aria-label={`Link and QR code of ${reference}`}
        dialog={(close) => <BookingLinkDialog onClose={close} {...of} />}
      />
      {signed >= expected ? null : (
        <SendLinkButton size="small" aria-label={`Send link of booking ${reference}`} {...of} />
      )}
    </span>
  );
}

const nameOf = ({ name }: WalkIn) => name ?? texts.guests.unnamed;

/** The walk-ins that pass the filter; renders nothing if there are none. */
export function WalkIns({ day, walkIns }: { readonly day: Day; readonly walkIns: readonly WalkIn[] }) {
  const { tick } = useShownDay();
  if (walkIns.length === 0) return null;
  return (
    <Card title="Walk-ins" isFlush>
      <p className={`${styles.hint} muted`}>Signed on this day without a booking.</p>
      <ul className={styles.walkIns}>
        {walkIns.map((walkIn) => (
          <PersonRow
            key={walkIn.key}
            pool={day.pool}
            name={nameOf(walkIn)}
            person={walkIn}
            booking={undefined}
          >
            <span className="muted">{formatTimeIn(day.timeZone, new Date(walkIn.signedAt))}</span>
            {tick === undefined ? null : (
              <DialogButton
                size="small"
                label="Attach"
                aria-label={`Attach the waiver of ${nameOf(walkIn)}`}
                dialog={(close) => (
                  <AttachDialog
                    onClose={close}
                    pool={day.pool}
                    waivers={togetherWith(walkIn, day).map((each) => ({
                      id: each.waiverId,
                      name: nameOf(each),
                    }))}
                    day={day}
                  />
                )}
              />
            )}
          </PersonRow>
        ))}
      </ul>
    </Card>
  );
}

function togetherWith(walkIn: WalkIn, { walkIns }: Day): readonly WalkIn[] {
  const { signing, waiverId } = walkIn;
  const others = (walkIns ?? []).filter(
    (each) => signing !== null && each.signing === signing && each.waiverId !== waiverId,
  );
  return [walkIn, ...others];
}
