import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { dataOf, unmatchedWaiversQuery } from '../../api/queries.ts';
import type { UnmatchedWaiver } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { Item } from '../../components/item.tsx';
import { PagedListCard } from '../../components/loaded.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { useChange } from '../../components/use-change.ts';
import { texts } from '../../text/english.ts';

/** A pool's waivers whose guest or booking is gone, for a person to decide; renders nothing if there are none. */
export function UnmatchedWaivers({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title={texts.unmatched.title}
      list={useInfiniteQuery(unmatchedWaiversQuery(pool))}
      item={(waiver) => <UnmatchedItem key={waiver.waiverId} pool={pool} waiver={waiver} />}
    />
  );
}

interface ItemProps {
  readonly pool: string;
  readonly waiver: UnmatchedWaiver;
}

function UnmatchedItem({ pool, waiver }: ItemProps) {
  const { waiverId, name, bookingSystem, bookingId, bookingGuestId, reason, since, proposals } = waiver;
  const path = { pool, id: waiverId };
  const { queryKey } = unmatchedWaiversQuery(pool);
  const attach = useChange({
    change: (guestId: string) =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/unmatched-waivers/{id}/attach', {
          params: { path },
          body: { bookingGuestId: guestId },
        }),
      ),
    queryKey,
    done: texts.unmatched.attached,
  });
  const dismiss = useChange({
    change: () => api.DELETE('/v1/admin/pools/{pool}/unmatched-waivers/{id}', { params: { path } }),
    queryKey,
    done: texts.unmatched.dismissed,
  });
  return (
    <Item
      title={
        <>
          <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
            {name ?? waiverId}
          </Link>
          <Badge tone="warning">{texts.unmatched.reasons[reason]}</Badge>
        </>
      }
      actions={
        <>
          {proposals?.map((guest) => (
            <Button
              key={guest.bookingGuestId}
              size="small"
              isBusy={attach.isPending && attach.variables === guest.bookingGuestId}
              onClick={() => attach.mutate(guest.bookingGuestId)}
            >
              {texts.unmatched.attachTo(guest)}
            </Button>
          ))}
          <Button size="small" isBusy={dismiss.isPending} onClick={() => dismiss.mutate()}>
            {texts.unmatched.dismiss}
          </Button>
        </>
      }
    >
      <Facts
        items={{
          [texts.unmatched.booking]: (
            <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
              {bookingId}
            </Link>
          ),
          [texts.unmatched.guest]: bookingGuestId ?? undefined,
          [texts.unmatched.since]: <DateTime value={since} style="relative" />,
        }}
      />
      <ProblemNotice error={attach.error ?? dismiss.error} />
    </Item>
  );
}
