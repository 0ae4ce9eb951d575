import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { lateSigningsQuery, unmatchedWaiversQuery } from '../../api/queries.ts';
import type { LateSigning, UnmatchedWaiver } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton, FormButton } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Facts, Item, PagedListCard } from '../../components/layout.tsx';
import { BookingLink } from '../../components/names.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

/** A pool's late signings that could not be stored, for a person to decide; renders nothing if there are none. */
export function LateSignings({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title="Signings that need attention"
      query={lateSigningsQuery(pool)}
      item={(signing) => <LateItem key={signing.id} pool={pool} signing={signing} />}
    />
  );
}

const lateReasons: Readonly<Record<string, string>> = {
  already_signed: 'Someone has signed for this guest',
  booking_cancelled: 'Booking cancelled',
  booking_not_found: 'No such booking',
  booking_unavailable: 'The booking could not be read: store it once its booking system answers',
  form_changed: 'An old version of the form',
  guest_not_of_link: 'Guest no longer in the booking',
  kiosk_revoked: 'From a revoked kiosk',
  kiosk_unknown: 'From an unknown kiosk',
  link_expired: 'Link had expired',
  link_revoked: 'Link was revoked',
  link_unknown: 'Unknown link',
  malformed: 'Not readable',
  no_form: 'The form no longer exists',
  signing_exists: 'Another signing has its id',
  signing_invalid: 'Incomplete',
  waiver_voided: 'Withdrawn meanwhile',
};

function LateItem({ pool, signing }: { readonly pool: string; readonly signing: LateSigning }) {
  const { id, names, reason, bookingId, bookingSystem, signedAt, receivedAt } = signing;
  const path = { pool, id };
  return (
    <Item
      title={
        <>
          {names === null || names.length === 0 ? 'Without a name' : names.join(', ')}
          <Badge tone="warning">{lateReasons[reason] ?? reason}</Badge>
        </>
      }
      actions={
        <>
          <FormButton
            size="small"
            label="Store"
            title="Store this signing?"
            submitLabel="Store"
            lead="It waited on a guest’s device or a kiosk, and could not be stored when it arrived. It becomes a waiver for each guest, in the version of the form that was signed."
            initialDraft={{ bookingId: bookingId ?? '' }}
            submit={(draft) =>
              call('POST', '/v1/admin/pools/:pool/late-signings/:id/accept', {
                params: path,
                body: { bookingId: draft.bookingId.trim() === '' ? null : draft.bookingId.trim() },
              })
            }
            done="Stored as waivers."
          >
            {({ field }) => (
              <TextField
                label={texts.fields.booking}
                hint="Leave empty to store it without a booking."
                maxLength={256}
                {...field('bookingId')}
              />
            )}
          </FormButton>
          <ConfirmButton
            size="small"
            isDangerous
            label="Delete"
            title="Delete this signing?"
            lead="What the guests signed is permanently lost: there is no other copy."
            change={() => call('DELETE', '/v1/admin/pools/:pool/late-signings/:id', { params: path })}
            done="Signing deleted."
          />
        </>
      }
    >
      <Facts
        items={{
          [texts.fields.booking]:
            bookingId === null || bookingSystem === null ? undefined : (
              <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
            ),
          Signed: signedAt === null ? undefined : <DateTime value={signedAt} />,
          Arrived: <DateTime value={receivedAt} style="relative" />,
        }}
      />
    </Item>
  );
}

/** A pool's waivers whose guest or booking is gone, for a person to decide; renders nothing if there are none. */
export function UnmatchedWaivers({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title="Waivers to attach"
      query={unmatchedWaiversQuery(pool)}
      item={(waiver) => <UnmatchedItem key={waiver.waiverId} pool={pool} waiver={waiver} />}
    />
  );
}

const unmatchedReasons = {
  guest_gone: 'Guest no longer in the booking',
  booking_gone: 'Booking no longer exists',
};

type ProposedGuest = NonNullable<UnmatchedWaiver['proposals']>[number];

const nameOf = ({ name, bookingGuestId }: ProposedGuest): string => name ?? bookingGuestId;

function UnmatchedItem({ pool, waiver }: { readonly pool: string; readonly waiver: UnmatchedWaiver }) {
  const { waiverId, bookingSystem, bookingId, bookingGuestId, reason, since, proposals } = waiver;
  const path = { pool, id: waiverId };
  const name = waiver.name ?? waiverId;
  return (
    <Item
      title={
        <>
          <Link to="/waivers/$pool/$id" params={{ pool, id: waiverId }}>
            {name}
          </Link>
          <Badge tone="warning">{unmatchedReasons[reason]}</Badge>
        </>
      }
      actions={
        <>
          {proposals?.map((guest) => (
            <ConfirmButton
              key={guest.bookingGuestId}
              label={`Attach to ${nameOf(guest)}`}
              size="small"
              title={`Attach the waiver of ${name} to ${nameOf(guest)} in ${bookingId}`}
              lead="The guest counts as signed, and the booking system is updated."
              confirm="Attach"
              change={() =>
                call('POST', '/v1/admin/pools/:pool/unmatched-waivers/:id/attach', {
                  params: path,
                  body: { bookingGuestId: guest.bookingGuestId },
                })
              }
              done="Waiver attached. The booking system will be updated."
            />
          ))}
          <ConfirmButton
            label="Dismiss"
            size="small"
            title={`Dismiss the waiver of ${name}`}
            lead="It stays as it is, and is listed here again only when its guest or booking changes."
            change={() => call('DELETE', '/v1/admin/pools/:pool/unmatched-waivers/:id', { params: path })}
            done="Dismissed until its guest or booking changes."
          />
        </>
      }
    >
      <Facts
        items={{
          Booking: <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />,
          'Previous guest': bookingGuestId ?? undefined,
          Since: <DateTime value={since} style="relative" />,
        }}
      />
    </Item>
  );
}
