import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { invitationRefusalsQuery, sentInvitationsQuery } from '../../api/queries.ts';
import type { InvitationRefusal, SentInvitation } from '../../api/resources.ts';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Filters, FilterText } from '../../components/filters.tsx';
import { Card, Item, Page, PagedListCard } from '../../components/layout.tsx';
import { BookingLink } from '../../components/names.tsx';
import { Badge, Empty, type Tone } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

/** The email addresses to which a pool no longer sends messages. */
export function RefusedAddresses({ pool }: { readonly pool: string }) {
  return (
    <PagedListCard
      title="Addresses that receive no more messages"
      list={useInfiniteQuery(invitationRefusalsQuery(pool))}
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
          <Badge tone={reason === 'refused' ? 'bad' : 'neutral'}>
            {texts.invitations.refusalReasons[reason]}
          </Badge>
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

const tones: Readonly<Record<SentInvitation['state'], Tone>> = {
  waiting: 'neutral',
  sent: 'good',
  'in-doubt': 'warning',
  refused: 'bad',
  'left-out': 'neutral',
  'given-up': 'bad',
};

function State({ message: { state, reason } }: { readonly message: SentInvitation }) {
  const hint = state === 'in-doubt' ? 'May have arrived; not sent again' : texts.invitations.reason(reason);
  return (
    <>
      <Badge tone={tones[state]}>{texts.invitations.states[state]}</Badge>
      {hint === undefined ? null : <span className="muted"> {hint}</span>}
    </>
  );
}

const columnsOf = (pool: string): readonly Column<SentInvitation>[] => [
  { heading: 'Created', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    heading: 'Address',
    cell: ({ email }) => email ?? 'Hidden',
    onCard: 'title',
  },
  {
    heading: 'State',
    cell: (message) => <State message={message} />,
    onCard: 'bare',
  },
  {
    heading: texts.invitations.booking,
    cell: ({ bookingId, bookingSystem }) => (
      <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
    ),
  },
  { heading: 'Occasion', cell: ({ occasion }) => texts.invitations.occasions[occasion] },
  { heading: 'Guests', cell: ({ guests }) => guests, isNumber: true },
];

export function MessagesPage() {
  const { pool } = route.useParams();
  const { bookingId } = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const list = useInfiniteQuery(sentInvitationsQuery(pool, bookingId));
  return (
    <Page title={texts.invitations.messages} lead={`E-mail that asked guests of ${pool} to sign.`}>
      <Card isFlush>
        <Filters values={[bookingId]}>
          <FilterText
            label={texts.invitations.booking}
            value={bookingId}
            onChange={(id) =>
              void navigate({ search: (former) => ({ ...former, bookingId: id }), replace: true })
            }
          />
        </Filters>
        <PagedTable
          label={texts.invitations.messages}
          columns={columnsOf(pool)}
          list={list}
          rowKey={({ id }) => id}
          empty={<Empty title="No messages">What is sent to guests is listed here.</Empty>}
        />
      </Card>
      {may('operator') ? <RefusedAddresses pool={pool} /> : null}
    </Page>
  );
}
