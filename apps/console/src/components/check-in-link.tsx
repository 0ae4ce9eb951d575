import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { encode } from 'uqr';
import { call, isProblem, serviceNow } from '../api/client.ts';
import {
  bookingLinkQuery,
  checkInLinksKey,
  linksOfBookingQuery,
  sentInvitationsKey,
} from '../api/queries.ts';
import type { CheckInLink, NewCheckInLink } from '../api/resources.ts';
import { texts } from '../text/english.ts';
import { plural } from '../text/formats.ts';
import { Button } from './button.tsx';
import styles from './check-in-link.module.css';
import { Copyable } from './copyable.tsx';
import { DateTime } from './date-time.tsx';
import { ConfirmButton, Dialog, type OpeningButton, useChange } from './dialog.tsx';
import { Item } from './layout.tsx';
import { PoolName } from './names.tsx';
import { Loading, Notice, ProblemNotice, useToast } from './notice.tsx';

interface QrCodeProps {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
}

/** Dark on light in every theme, with the margin that cameras need. */
function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: 4 }), [text]);
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect className={styles.paper} width={size} height={size} />
      <path className={styles.ink} d={path} />
    </svg>
  );
}

interface ShownLink {
  readonly url: string;
  /** Null until the booking has been read. */
  readonly expiresAt: string | null;
}

function LinkEnd({ expiresAt }: Pick<ShownLink, 'expiresAt'>) {
  if (expiresAt === null) return 'Works until two days after the last session starts.';
  return (
    <>
      Works until <DateTime value={expiresAt} />
    </>
  );
}

interface CheckInLinkDialogProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly lead: string;
  readonly link: ShownLink;
  /** Whether it cannot be shown again. */
  readonly isShownOnce: boolean;
  /** Printed at the top of the page. */
  readonly heading: ReactNode;
}

/** Shows a link and its QR code, to copy, scan or print. */
function CheckInLinkDialog({ link, isShownOnce, heading, ...dialog }: CheckInLinkDialogProps) {
  const { url, expiresAt } = link;
  return (
    <Dialog
      {...dialog}
      closeLabel={texts.actions.done}
      isClosedByButtonOnly={isShownOnce}
      action={<Button onClick={() => print()}>Print</Button>}
    >
      {isShownOnce ? <Notice tone="warning">{texts.secrets.once}</Notice> : null}
      <div className={styles.checkInLinkCode}>
        <QrCode text={url} label="QR code of the link" />
      </div>
      <Copyable text={url} label="the link" />
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          Open on this device
        </a>
      </p>
      <p className="muted">
        <LinkEnd expiresAt={expiresAt} />
      </p>
      {createPortal(
        <section className={styles.sheet} aria-hidden="true">
          <h1>{heading}</h1>
          <QrCode text={url} label="QR code of the link" />
          <p>Scan the code with your phone’s camera to sign.</p>
          <p className={styles.address}>{url}</p>
        </section>,
        document.body,
      )}
    </Dialog>
  );
}

/** Whether guests can still use a link, as far as is known: a booking's link may have ended with the booking. */
export const isUsable = ({ revokedAt, expiresAt }: CheckInLink): boolean =>
  revokedAt === null && (expiresAt === null || new Date(expiresAt) > serviceNow());

interface CheckInLinkItemProps {
  readonly pool: string;
  readonly link: CheckInLink;
  readonly title: ReactNode;
}

/** A signing link, without its URL, and a button to revoke it. */
export function CheckInLinkItem({ pool, link: { id, createdAt, expiresAt }, title }: CheckInLinkItemProps) {
  return (
    <Item
      title={title}
      actions={
        <ConfirmButton
          label={texts.keys.revoke}
          size="small"
          title="Revoke this link?"
          lead="It stops working at once, also on posters and in messages. What was signed with it is kept."
          isDangerous
          change={() => call('DELETE', '/v1/pools/:pool/check-in-links/:id', { params: { pool, id } })}
          queryKey={checkInLinksKey(pool)}
          done={texts.keys.revoked}
        />
      }
    >
      <p className="muted">
        {texts.fields.created} <DateTime value={createdAt} /> · <LinkEnd expiresAt={expiresAt} />
      </p>
    </Item>
  );
}

interface MakeLinkButtonProps
  extends OpeningButton,
    Pick<CheckInLinkDialogProps, 'title' | 'lead' | 'heading'> {
  readonly label: string;
  readonly pool: string;
  readonly place: NewCheckInLink;
}

/** Creates a signing link and shows it, once only. */
export function MakeLinkButton({ label, pool, place, title, lead, heading, ...button }: MakeLinkButtonProps) {
  const toast = useToast();
  const make = useChange({
    change: () => call('POST', '/v1/pools/:pool/check-in-links', { params: { pool }, body: place }),
    queryKey: checkInLinksKey(pool),
  });
  return (
    <>
      <Button
        {...button}
        isBusy={make.isPending}
        onClick={() => make.mutate(undefined, { onError: (error) => toast(error.message) })}
      >
        {label}
      </Button>
      {make.data === undefined ? null : (
        <CheckInLinkDialog {...{ title, lead, heading }} onClose={make.reset} link={make.data} isShownOnce />
      )}
    </>
  );
}

interface SentTo<Email extends string | null = string> {
  readonly email: Email;
  readonly guests: number;
}

const notSentReasons: Readonly<Record<string, string>> = {
  known: 'already received it',
  'too-many': 'received three today',
  refused: 'refuses mail',
  unsubscribed: 'has unsubscribed',
  erased: 'was erased',
  'no-address': 'no e-mail address that mail can be sent to',
  signed: 'everyone has signed',
};

const guestCount = (guests: number) => plural(guests, 'guest', 'guests');

const sentTo = ({ email, guests }: SentTo) => (guests === 1 ? email : `${email} (${guestCount(guests)})`);

const describeNotSent = ({ email, guests, reason }: SentTo<string | null> & { readonly reason: string }) => {
  const said = notSentReasons[reason] ?? reason;
  if (email !== null) return `${email} ${said}`;
  return guests === 0 ? said : `${guestCount(guests)}: ${said}`;
};

export interface OfBooking {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

export function SendLinkButton({ pool, bookingSystem, bookingId, ...button }: OpeningButton & OfBooking) {
  return (
    <ConfirmButton
      {...button}
      label="Send link"
      title="Send the link by e-mail?"
      confirm="Send"
      lead="To all guests who have not signed: each at their own address, and to the booker for those without one."
      change={() =>
        call('POST', '/v1/admin/pools/:pool/bookings/:booking_id/invitations', {
          params: { pool, booking_id: bookingId },
          query: { bookingSystem },
          body: {},
        })
      }
      queryKey={sentInvitationsKey(pool)}
      done={({ sent, leftOut }) =>
        [
          sent.length === 0 ? 'Nothing is sent' : `On its way to ${sent.map(sentTo).join(', ')}`,
          ...leftOut.map(describeNotSent),
        ].join('. ')
      }
    />
  );
}

/** A booking's link for all its guests. Once it is revoked, another can be created. */
export function BookingLinkDialog({
  onClose,
  pool,
  bookingSystem,
  bookingId,
}: OfBooking & { readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery(bookingLinkQuery(pool, bookingSystem, bookingId));
  const queries = useQueryClient();
  // Reading the link may have created it.
  const close = () => {
    void queries.invalidateQueries({ queryKey: linksOfBookingQuery(pool, bookingId).queryKey });
    onClose();
  };
  const about = {
    title: `Sign for booking ${bookingId}`,
    lead: 'For all guests of the booking, who see each other’s first name and initial. Its booking system gets the same link.',
    heading: <PoolName id={pool} />,
  };
  if (data !== undefined) {
    return <CheckInLinkDialog {...about} onClose={close} link={data} isShownOnce={false} />;
  }
  const isRevoked = isProblem(error, 'link_revoked');
  return (
    <Dialog
      onClose={close}
      title={about.title}
      action={
        isRevoked ? (
          <MakeLinkButton
            {...about}
            look="primary"
            label="Make a new link"
            pool={pool}
            place={{ bookingId, bookingSystem }}
          />
        ) : null
      }
    >
      {error === null ? <Loading /> : null}
      {isRevoked ? (
        <p>The link of this booking was revoked.</p>
      ) : (
        <ProblemNotice error={error} retry={() => void refetch()} />
      )}
    </Dialog>
  );
}
