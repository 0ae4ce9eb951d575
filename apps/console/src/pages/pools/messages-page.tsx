import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { sentInvitationsQuery } from '../../api/queries.ts';
import type { SentInvitation } from '../../api/resources.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Filters, FilterText } from '../../components/filters.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { RefusedAddresses } from './refused-addresses.tsx';

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
  const hint = state === 'in-doubt' ? texts.invitations.inDoubtHint : texts.invitations.reason(reason);
  return (
    <>
      <Badge tone={tones[state]}>{texts.invitations.states[state]}</Badge>
      {hint === undefined ? null : <span className="muted"> {hint}</span>}
    </>
  );
}

const columnsOf = (pool: string): readonly Column<SentInvitation>[] => [
  { heading: texts.invitations.created, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  {
    heading: texts.invitations.address,
    cell: ({ email }) => email ?? texts.invitations.hidden,
    onCard: 'title',
  },
  {
    heading: texts.invitations.state,
    cell: (message) => <State message={message} />,
    onCard: 'bare',
  },
  {
    heading: texts.invitations.booking,
    cell: ({ bookingId, bookingSystem }) => (
      <Link to="/bookings" search={{ pool, id: bookingId, bookingSystem }}>
        {bookingId}
      </Link>
    ),
  },
  { heading: texts.invitations.occasion, cell: ({ occasion }) => texts.invitations.occasions[occasion] },
  { heading: texts.invitations.guests, cell: ({ guests }) => guests, isNumber: true },
];

export function MessagesPage() {
  const { pool } = route.useParams();
  const { bookingId } = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const list = useInfiniteQuery(sentInvitationsQuery(pool, bookingId));
  return (
    <Page title={texts.invitations.messages} lead={texts.invitations.messagesLead(pool)}>
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
          empty={<Empty title={texts.invitations.noMessages}>{texts.invitations.noMessagesHint}</Empty>}
        />
      </Card>
      {may('operator') ? <RefusedAddresses pool={pool} /> : null}
    </Page>
  );
}
