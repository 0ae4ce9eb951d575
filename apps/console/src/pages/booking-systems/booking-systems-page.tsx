import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { bookingSystemsQuery } from '../../api/queries.ts';
import type { BookingSystemItem } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { texts } from '../../text/english.ts';

const columns: readonly Column<BookingSystemItem>[] = [
  {
    id: 'name',
    heading: texts.fields.name,
    cell: ({ installName, displayName }) => (
      <Link to="/booking-systems/$name" params={{ name: installName }}>
        {displayName}
      </Link>
    ),
  },
  {
    id: 'configured',
    heading: texts.fields.state,
    cell: ({ configured }) =>
      configured ? (
        <Badge tone="good">{texts.bookingSystems.configured}</Badge>
      ) : (
        <Badge tone="warning">{texts.bookingSystems.notConfigured}</Badge>
      ),
  },
  {
    id: 'forms',
    heading: texts.bookingSystems.reads,
    cell: ({ capabilities }) => capabilities.forms.map((form) => texts.forms[form]).join(', '),
    isMinor: true,
  },
  {
    id: 'takes',
    heading: texts.bookingSystems.takes,
    cell: ({ capabilities }) =>
      capabilities.guestUpdate ? capabilities.takes.join(', ') : texts.bookingSystems.readOnly,
    isMinor: true,
  },
  {
    id: 'inbound',
    heading: texts.bookingSystems.inbound,
    cell: ({ capabilities }) => texts.bookingSystems.inboundKinds[capabilities.inbound],
    isMinor: true,
  },
];
const keyOf = ({ installName }: BookingSystemItem) => installName;

/** The booking systems that this host has a plugin for. */
export function BookingSystemsPage() {
  const { data, error, refetch } = useQuery(bookingSystemsQuery);
  return (
    <Page title={texts.pages.bookingSystems} lead={texts.bookingSystems.lead}>
      <Card isFlush>
        {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
        {data === undefined ? (
          <Loading />
        ) : (
          <DataTable label={texts.pages.bookingSystems} columns={columns} rows={data} rowKey={keyOf} />
        )}
      </Card>
    </Page>
  );
}
