import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { invitationRefusalsQuery, sentInvitationsQuery } from '../../api/queries.ts';
import type { InvitationRefusal, SentInvitation } from '../../api/resources.ts';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { bind } from '../../components/field.tsx';
import { Filters, FilterText } from '../../components/filters.tsx';
import { Card, Item, Page, PagedListCard } from '../../components/layout.tsx';
import { BookingLink } from '../../components/names.tsx';
import { Badge, Empty } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

/** The email addresses to which a pool no longer sends messages. */
function RefusedAddresses({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title="Addresses that receive no more messages"
      query={invitationRefusalsQuery(pool)}
      empty={
        <Empty title="None">
          Addresses that the mail server refuses, and those that unsubscribe, are listed here.
        </Empty>
      }
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
          {email ?? 'An erased address'}
          {reason === 'refused' ? (
            <Badge tone="bad">Refused by the mail server</Badge>
          ) : (
            <Badge>Unsubscribed</Badge>
          )}
        </>
      }
      actions={
        <ConfirmButton
          size="small"
          label="Write again"
          lead={
            reason === 'refused'
              ? 'The address will receive messages again.'
              : 'Its owner unsubscribed. Do this only if they asked you to: the address will receive messages again.'
          }
          change={() =>
            call('DELETE', '/v1/admin/pools/:pool/invitations/refusals/:id', { params: { pool, id } })
          }
          done="The address will receive messages again"
        />
      }
    >
      <p className="muted">
        <DateTime value={at} /> {reply}
      </p>
    </Item>
  );
}

const route = getRouteApi('/pools/$pool/messages');

const reasons: Readonly<Record<string, string>> = {
  signed: 'All had signed',
  cancelled: 'The booking was cancelled',
  gone: 'The booking was gone',
  moved: 'The booking was moved',
  'address-changed': 'The address was no longer in the booking',
  'switched-off': 'Switched off',
  uninstalled: 'The booking system was uninstalled',
  'no-form': 'No form for the activity',
  'too-late': 'The visit had begun',
  'later-occasion': 'A later message was due',
  'quiet-hours': 'Quiet hours until the visit',
  'link-revoked': 'The link was revoked',
  refused: 'The address refuses mail',
  unsubscribed: 'Unsubscribed',
};

const badges: Readonly<Record<SentInvitation['state'], ReactNode>> = {
  waiting: <Badge>Waiting</Badge>,
  sent: <Badge tone="good">Sent</Badge>,
  'in-doubt': <Badge tone="warning">In doubt</Badge>,
  refused: <Badge tone="bad">Refused</Badge>,
  'left-out': <Badge>Left out</Badge>,
  'given-up': <Badge tone="bad">Given up</Badge>,
};

const occasions: Readonly<Record<SentInvitation['occasion'], string>> = {
  'days-before': 'Days before',
  'evening-before': 'Evening before',
  'morning-of': 'Morning',
  staff: 'By staff',
};

function State({ message: { state, reason } }: { readonly message: SentInvitation }) {
  const hint =
    state === 'in-doubt' ? 'May have arrived; not sent again' : reason && (reasons[reason] ?? reason);
  return (
    <>
      {badges[state]}
      {hint && <span className="muted"> {hint}</span>}
    </>
  );
}

const columnsOf = (pool: string): readonly Column<SentInvitation>[] => [
  { heading: 'Created', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  { heading: 'Address', cell: ({ email }) => email ?? 'Hidden', onCard: 'title' },
  { heading: 'State', cell: (message) => <State message={message} />, onCard: 'bare' },
  {
    heading: texts.fields.booking,
    cell: ({ bookingId, bookingSystem }) => (
      <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
    ),
  },
  { heading: 'Occasion', cell: ({ occasion }) => occasions[occasion] },
  { heading: 'Guests', cell: ({ guests }) => guests, isNumber: true },
];

export function MessagesPage() {
  const { pool } = route.useParams();
  const search = route.useSearch();
  const { bookingId } = search;
  const navigate = route.useNavigate();
  const filter = bind(search, (next) => void navigate({ search: next, replace: true }));
  const { may } = useSession();
  return (
    <Page title="Messages" lead={`E-mail that asked guests of ${pool} to sign.`}>
      <Card isFlush>
        <Filters values={[bookingId]}>
          <FilterText label={texts.fields.booking} {...filter('bookingId')} />
        </Filters>
        <PagedTable
          label="Messages"
          columns={columnsOf(pool)}
          query={sentInvitationsQuery(pool, bookingId)}
          rowKey={({ id }) => id}
          empty={<Empty title="No messages">What is sent to guests is listed here.</Empty>}
        />
      </Card>
      {may('operator') ? <RefusedAddresses pool={pool} /> : null}
    </Page>
  );
}
