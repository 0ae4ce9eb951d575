import { call } from '../api/client.ts';
import { sentInvitationsKey } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import { ConfirmButton } from './confirm-button.tsx';
import type { OpeningButton } from './dialog.tsx';

interface SendLinkButtonProps extends OpeningButton {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** Omitted: every guest who has not signed. */
  readonly guest?: { readonly bookingGuestId: string; readonly name: string };
}

export function SendLinkButton({ pool, bookingSystem, bookingId, guest, ...button }: SendLinkButtonProps) {
  return (
    <ConfirmButton
      {...button}
      label={texts.invitations.send}
      title={texts.invitations.sendTitle}
      confirm={texts.invitations.sendNow}
      lead={guest === undefined ? texts.invitations.sendLead : texts.invitations.sendGuestLead}
      {...(guest === undefined ? {} : { 'aria-label': texts.invitations.sendTo(guest.name) })}
      change={() =>
        call('POST', '/v1/admin/pools/:pool/bookings/:booking_id/invitations', {
          params: { pool, booking_id: bookingId },
          query: { bookingSystem },
          body: guest === undefined ? {} : { bookingGuestId: guest.bookingGuestId },
        })
      }
      queryKey={sentInvitationsKey(pool)}
      done={({ sent, leftOut }) => texts.invitations.sent(sent, leftOut)}
    />
  );
}
