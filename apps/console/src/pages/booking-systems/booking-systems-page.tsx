import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { bookingSystemsQuery } from '../../api/queries.ts';
import type { BookingSystemItem } from '../../api/resources.ts';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

const columns: readonly Column<BookingSystemItem>[] = [
  {
    heading: texts.fields.name,
    cell: ({ installName, displayName }) => (
      <Link to="/booking-systems/$name" params={{ name: installName }}>
        {displayName}
      </Link>
    ),
    onCard: 'title',
  },
  {
    heading: texts.fields.state,
    cell: ({ configured }) =>
      configured ? (
        <Badge tone="good">{texts.bookingSystems.configured}</Badge>
      ) : (
        <Badge tone="warning">{texts.bookingSystems.notConfigured}</Badge>
      ),
    onCard: 'bare',
  },
  {
    heading: texts.bookingSystems.reads,
    cell: ({ capabilities }) => capabilities.forms.map((form) => texts.forms[form]).join(', '),
  },
  {
    heading: texts.bookingSystems.takes,
    cell: ({ capabilities }) => (capabilities.guestUpdate ? capabilities.takes.join(', ') : 'Reads only'),
  },
  {
    heading: texts.bookingSystems.inbound,
    cell: ({ capabilities }) => texts.bookingSystems.inboundKinds[capabilities.inbound],
  },
];

export function BookingSystemsPage() {
  const systems = useQuery(bookingSystemsQuery);
  return (
    <Page title={texts.pages.bookingSystems} lead="Booking systems that have a plugin installed.">
      <Card isFlush>
        <QueryTable
          label={texts.pages.bookingSystems}
          columns={columns}
          query={systems}
          rows={systems.data}
          rowKey={({ installName }) => installName}
        />
      </Card>
    </Page>
  );
}
