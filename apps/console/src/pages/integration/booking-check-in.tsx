import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isProblem } from '../../api/problem.ts';
import { bookingLinkQuery, linksOfBookingQuery } from '../../api/queries.ts';
import type { BookingAnswer, CheckInLink } from '../../api/resources.ts';
import {
  CheckInLinkDialog,
  CheckInLinkItem,
  isUsable,
  MakeLinkButton,
  type OfBooking,
  SendLinkButton,
} from '../../components/check-in-link.tsx';
import { Dialog, DialogButton } from '../../components/dialog.tsx';
import { Card, Loaded } from '../../components/layout.tsx';
import { PoolName } from '../../components/names.tsx';
import { Badge, Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

/** How a booking's guests reach their signing page. For operators. */
export function BookingCheckIn({ guests, ...of }: OfBooking & Pick<BookingAnswer, 'guests'>) {
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

interface SignedCountProps {
  readonly waivers: { readonly signed: number; readonly pax: number | null };
}

export function SignedCount({ waivers: { signed, pax } }: SignedCountProps) {
  const isComplete = pax !== null && signed >= pax;
  return <Badge tone={isComplete ? 'good' : 'warning'}>{texts.bookings.signedOf(signed, pax)}</Badge>;
}
