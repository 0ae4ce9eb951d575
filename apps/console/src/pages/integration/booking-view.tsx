import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { bookingQuery, linksOfBookingQuery } from '../../api/queries.ts';
import type { BookingAnswer, CheckInLink, NewCheckInLink } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import {
  BookingLinkDialog,
  CheckInLinkItem,
  isUsable,
  MakeLinkButton,
  type OfBooking,
  SendLinkButton,
} from '../../components/check-in-link.tsx';
import { JsonView } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { Card, Facts, Loaded } from '../../components/layout.tsx';
import { PoolName } from '../../components/names.tsx';
import { Badge, Empty, Loading, Notice, ProblemNotice, SignedCount } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { plural } from '../../text/formats.ts';
import { ComparedBooking } from './compared-booking.tsx';
import styles from './integration.module.css';
import { ReadSteps } from './read-steps.tsx';

const unnamedGuest = 'Unnamed guest';

const aged = (seconds: number) =>
  seconds < 120
    ? plural(seconds, 'second', 'seconds')
    : plural(Math.round(seconds / 60), 'minute', 'minutes');

interface BookingViewProps {
  readonly pool: string;
  readonly id: string;
  readonly bookingSystem: string | undefined;
}

export function BookingView({ pool, id, bookingSystem }: BookingViewProps) {
  const { may } = useSession();
  const { data, error, isFetching, refetch } = useQuery(
    bookingQuery(pool, id, bookingSystem, may('operator')),
  );
  useEffect(() => {
    if (data !== undefined) document.title = `${data.booking.id} · ${texts.product}`;
  }, [data]);
  const problem = <ProblemNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return error === null ? <Loading /> : problem;
  const { booking, form, waivers, warnings, stale, ageSeconds = 0, fetchedAt, booker, explanation } = data;
  const of: OfBooking = { pool, bookingSystem: data.bookingSystem, bookingId: booking.id };
  return (
    <>
      {problem}
      {stale ? (
        <Notice tone="warning" title="This is the last known booking">
          {`The booking system is not responding. This copy is ${aged(ageSeconds)} old.`}
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
            Read again
          </Button>
        }
      >
        <Facts
          items={{
            [texts.fields.status]: <Badge>{String(booking.status ?? '–')}</Badge>,
            [texts.pages.waivers]: <SignedCount waivers={waivers} />,
            Missing: missingIn(waivers),
            [texts.fields.contact]: contactOf('contact' in booking ? (booking.contact ?? booker) : booker),
            [texts.fields.bookingSystem]: data.bookingSystem,
            Form: texts.forms[form],
            'Read at': <DateTime value={fetchedAt} />,
            'Also known as': explanation?.aliases.join(', ') || undefined,
          }}
        />
      </Card>
      {may('operator') ? <BookingCheckIn {...of} guests={data.guests} /> : null}
      <Card title="Sessions">
        <ul className={styles.list}>
          {booking.bookedSessions?.map(({ startsAt, endsAt, activityName, activityId }) => (
            <li key={`${startsAt} ${activityId ?? ''} ${activityName ?? ''}`}>
              <strong>{activityName ?? 'Session'}</strong>
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
      <Card title="Guests">
        <GuestList {...of} guests={data.guests} />
      </Card>
      {explanation === undefined ? (
        <Card title={texts.bookings.normalized}>
          <JsonView value={booking} label={texts.bookings.normalized} />
        </Card>
      ) : (
        <>
          <ComparedBooking booking={booking} warnings={warnings} steps={explanation.steps} />
          <Card title="How it was read">
            <ReadSteps steps={explanation.steps} />
          </Card>
        </>
      )}
    </>
  );
}

/** How a booking's guests reach their signing page. For operators. */
function BookingCheckIn({ guests, ...of }: OfBooking & Pick<BookingAnswer, 'guests'>) {
  const { pool, bookingSystem, bookingId } = of;
  const nameOf = ({ bookingGuestId }: CheckInLink): string => {
    if (bookingGuestId === null) return 'For all guests';
    const guest = guests?.find((one) => one.bookingGuestId === bookingGuestId);
    const name = guest?.prefill.name;
    return `For ${typeof name === 'string' ? name : bookingGuestId}`;
  };
  return (
    <Card
      title="Check-in"
      isFlush
      actions={
        <>
          <Link to="/pools/$pool/messages" params={{ pool }} search={{ bookingId }}>
            Messages
          </Link>
          <SendLinkButton size="small" {...of} />
          <DialogButton
            size="small"
            label="Show link and QR code"
            dialog={(close) => <BookingLinkDialog onClose={close} {...of} />}
          />
        </>
      }
    >
      <Loaded query={linksOfBookingQuery(pool, bookingId)}>
        {(all) => {
          const usable = all.filter((link) => isUsable(link) && link.bookingSystem === bookingSystem);
          return usable.length === 0 ? (
            <Empty title="No links yet">
              The link for all guests is made when it is first shown. Each guest can get another one.
            </Empty>
          ) : (
            <ul>
              {usable.map((link) => (
                <CheckInLinkItem key={link.id} pool={pool} link={link} title={nameOf(link)} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** Who has not signed yet, by name if the booking system gives one. */
function missingIn({ missing }: BookingAnswer['waivers']): string | undefined {
  const names = missing.map(({ name, bookingGuestId }) => name ?? bookingGuestId ?? unnamedGuest);
  return names.join(', ') || undefined;
}

function contactOf(contact: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  if (contact === null || contact === undefined) return undefined;
  const { name, email, phoneNumber } = contact;
  return (
    [name, email, phoneNumber].filter((one) => typeof one === 'string' && one !== '').join(' · ') || undefined
  );
}

interface GuestListProps extends OfBooking {
  readonly guests: BookingAnswer['guests'];
}

function GuestList({ pool, bookingSystem, bookingId, guests }: GuestListProps) {
  if (guests === null) return <Notice>{texts.waivers.redacted}</Notice>;
  if (guests.length === 0) return <Empty title="The booking names no guests" />;
  return (
    <ul className={styles.list}>
      {guests.map(({ bookingGuestId, prefill, waiverId, signed }, index) => (
        <li key={bookingGuestId ?? index} className={styles.guest}>
          <span>
            <strong>{contactOf(prefill) ?? unnamedGuest}</strong>
            <br />
            <span className="muted">{bookingGuestId}</span>
          </span>
          <span className={styles.state}>
            {signed || bookingGuestId === undefined ? null : (
              <GuestLinkButton
                pool={pool}
                place={{ bookingId, bookingSystem, bookingGuestId }}
                name={contactOf({ name: prefill.name }) ?? bookingGuestId}
              />
            )}
            {waiverId === undefined ? (
              <Badge tone="warning">Missing</Badge>
            ) : (
              <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
                {signed ? texts.waiverStates.signed : texts.waiverStates.unfinished}
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface GuestLinkButtonProps {
  readonly pool: string;
  readonly place: NewCheckInLink;
  readonly name: string;
}

function GuestLinkButton({ pool, place, name }: GuestLinkButtonProps) {
  const { may } = useSession();
  if (!may('operator')) return null;
  return (
    <MakeLinkButton
      size="small"
      label="Link"
      aria-label={`Make a link for ${name}`}
      pool={pool}
      place={place}
      title={`For ${name}`}
      lead="Only for this guest: the page is pre-filled from the booking."
      heading={<PoolName id={pool} />}
    />
  );
}
