import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { lateSigningsQuery } from '../../api/queries.ts';
import type { LateSigning } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { Item } from '../../components/item.tsx';
import { PagedListCard } from '../../components/loaded.tsx';
import { lateTexts } from '../../text/english/kiosks.ts';

/** A pool's late signings that could not be stored, for a person to decide; renders nothing if there are none. */
export function LateSignings({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title={lateTexts.title}
      list={useInfiniteQuery(lateSigningsQuery(pool))}
      item={(signing) => <LateItem key={signing.id} pool={pool} signing={signing} />}
    />
  );
}

const reasons: Readonly<Record<string, string>> = lateTexts.reasons;

function LateItem({ pool, signing }: { readonly pool: string; readonly signing: LateSigning }) {
  const { id, names, reason, bookingId, bookingSystem, signedAt, receivedAt } = signing;
  const path = { pool, id };
  const { queryKey } = lateSigningsQuery(pool);
  return (
    <Item
      title={
        <>
          {names === null || names.length === 0 ? lateTexts.noName : names.join(', ')}
          <Badge tone="warning">{reasons[reason] ?? reason}</Badge>
        </>
      }
      actions={
        <>
          <FormButton
            size="small"
            label={lateTexts.accept}
            title={lateTexts.acceptTitle}
            submitLabel={lateTexts.accept}
            lead={lateTexts.acceptLead}
            initialDraft={{ bookingId: bookingId ?? '' }}
            submit={(draft) =>
              call('POST', '/v1/admin/pools/:pool/late-signings/:id/accept', {
                params: path,
                body: { bookingId: draft.bookingId.trim() === '' ? null : draft.bookingId.trim() },
              })
            }
            queryKey={queryKey}
            done={lateTexts.accepted}
          >
            {({ field }) => (
              <TextField
                label={lateTexts.booking}
                hint={lateTexts.bookingHint}
                maxLength={256}
                {...field('bookingId')}
              />
            )}
          </FormButton>
          <ConfirmButton
            size="small"
            isDangerous
            label={lateTexts.delete}
            title={lateTexts.deleteTitle}
            lead={lateTexts.deleteLead}
            change={() => call('DELETE', '/v1/admin/pools/:pool/late-signings/:id', { params: path })}
            queryKey={queryKey}
            done={lateTexts.deleted}
          />
        </>
      }
    >
      <Facts
        items={{
          [lateTexts.booking]:
            bookingId === null || bookingSystem === null ? undefined : (
              <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
                {bookingId}
              </Link>
            ),
          [lateTexts.signed]: signedAt === null ? undefined : <DateTime value={signedAt} />,
          [lateTexts.received]: <DateTime value={receivedAt} style="relative" />,
        }}
      />
    </Item>
  );
}
