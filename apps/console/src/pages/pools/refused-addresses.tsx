import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { invitationRefusalsQuery } from '../../api/queries.ts';
import type { InvitationRefusal } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Item } from '../../components/item.tsx';
import { PagedListCard } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

/** The email addresses to which a pool no longer sends messages. */
export function RefusedAddresses({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title={texts.invitations.refusals}
      list={useInfiniteQuery(invitationRefusalsQuery(pool))}
      empty={<Empty title={texts.invitations.noRefusals}>{texts.invitations.noRefusalsHint}</Empty>}
      item={(refusal) => <RefusalItem key={refusal.id} pool={pool} refusal={refusal} />}
    />
  );
}

interface RefusalItemProps {
  readonly pool: string;
  readonly refusal: InvitationRefusal;
}

function RefusalItem({ pool, refusal: { id, email, reason, reply, at } }: RefusalItemProps) {
  return (
    <Item
      title={
        <>
          {email ?? texts.invitations.erasedAddress}
          <Badge tone={reason === 'refused' ? 'bad' : 'neutral'}>
            {texts.invitations.refusalReasons[reason]}
          </Badge>
        </>
      }
      actions={
        <ConfirmButton
          size="small"
          label={texts.invitations.lift}
          lead={reason === 'refused' ? texts.invitations.liftLead : texts.invitations.liftUnsubscribedLead}
          change={() =>
            call('DELETE', '/v1/admin/pools/:pool/invitations/refusals/:id', { params: { pool, id } })
          }
          queryKey={invitationRefusalsQuery(pool).queryKey}
          done={texts.invitations.lifted}
        />
      }
    >
      <p className="muted">
        <DateTime value={at} /> {reply}
      </p>
    </Item>
  );
}
