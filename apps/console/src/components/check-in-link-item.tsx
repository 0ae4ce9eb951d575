import type { ReactNode } from 'react';
import { call } from '../api/client.ts';
import { checkInLinksKey } from '../api/queries.ts';
import type { CheckInLink } from '../api/resources.ts';
import { texts } from '../text/english.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { DateTime } from './date-time.tsx';
import { Item } from './item.tsx';

/** Whether guests can still use a link, as far as is known: a booking's link may have ended with the booking. */
export const isUsable = ({ revokedAt, expiresAt }: CheckInLink): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

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
          title={texts.checkIn.revokeTitle}
          lead={texts.checkIn.revokeLead}
          isDangerous
          change={() => call('DELETE', '/v1/pools/:pool/check-in-links/:id', { params: { pool, id } })}
          queryKey={checkInLinksKey(pool)}
          done={texts.keys.revoked}
        />
      }
    >
      <p className="muted">
        {texts.fields.created} <DateTime value={createdAt} /> ·{' '}
        {expiresAt === null ? (
          texts.checkIn.endsWithBooking
        ) : (
          <>
            {texts.checkIn.worksUntil} <DateTime value={expiresAt} />
          </>
        )}
      </p>
    </Item>
  );
}
