import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { unmatchedWaiversQuery } from '../../api/queries.ts';
import type { UnmatchedWaiver } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { Item } from '../../components/item.tsx';
import { PagedListCard } from '../../components/loaded.tsx';
import { unmatchedTexts } from '../../text/english/unmatched.ts';

/** A pool's waivers whose guest or booking is gone, for a person to decide; renders nothing if there are none. */
export function UnmatchedWaivers({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title={unmatchedTexts.title}
      list={useInfiniteQuery(unmatchedWaiversQuery(pool))}
      item={(waiver) => <UnmatchedItem key={waiver.waiverId} pool={pool} waiver={waiver} />}
    />
  );
}

type ProposedGuest = NonNullable<UnmatchedWaiver['proposals']>[number];

const nameOf = ({ name, bookingGuestId }: ProposedGuest): string => name ?? bookingGuestId;

interface ItemProps {
  readonly pool: string;
  readonly waiver: UnmatchedWaiver;
}

function UnmatchedItem({ pool, waiver }: ItemProps) {
  const { waiverId, bookingSystem, bookingId, bookingGuestId, reason, since, proposals } = waiver;
  const path = { pool, id: waiverId };
  const name = waiver.name ?? waiverId;
  const { queryKey } = unmatchedWaiversQuery(pool);
  return (
    <Item
      title={
        <>
          <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
            {name}
          </Link>
          <Badge tone="warning">{unmatchedTexts.reasons[reason]}</Badge>
        </>
      }
      actions={
        <>
          {proposals?.map((guest) => (
            <ConfirmButton
              key={guest.bookingGuestId}
              label={unmatchedTexts.attachTo(nameOf(guest))}
              size="small"
              title={unmatchedTexts.attachTitle(name, nameOf(guest), bookingId)}
              lead={unmatchedTexts.attachLead}
              confirm={unmatchedTexts.attach}
              change={() =>
                call('POST', '/v1/admin/pools/:pool/unmatched-waivers/:id/attach', {
                  params: path,
                  body: { bookingGuestId: guest.bookingGuestId },
                })
              }
              queryKey={queryKey}
              done={unmatchedTexts.attached}
            />
          ))}
          <ConfirmButton
            label={unmatchedTexts.dismiss}
            size="small"
            title={unmatchedTexts.dismissTitle(name)}
            lead={unmatchedTexts.dismissLead}
            change={() => call('DELETE', '/v1/admin/pools/:pool/unmatched-waivers/:id', { params: path })}
            queryKey={queryKey}
            done={unmatchedTexts.dismissed}
          />
        </>
      }
    >
      <Facts
        items={{
          [unmatchedTexts.booking]: (
            <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
              {bookingId}
            </Link>
          ),
          [unmatchedTexts.guest]: bookingGuestId ?? undefined,
          [unmatchedTexts.since]: <DateTime value={since} style="relative" />,
        }}
      />
    </Item>
  );
}
