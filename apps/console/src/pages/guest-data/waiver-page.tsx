import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isProblem } from '../../api/problem.ts';
import { waiverQuery } from '../../api/queries.ts';
import type { WaiverDetail } from '../../api/resources.ts';
import { copyableFact } from '../../components/copyable.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Card, Facts, Page } from '../../components/layout.tsx';
import { BookingLink, nameOfGuest } from '../../components/names.tsx';
import {
  DeliveryBadge,
  Empty,
  Loading,
  Notice,
  ProblemNotice,
  WaiverBadge,
} from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { formatCalendarDay } from '../../text/formats.ts';
import { DestinationNameById } from '../operations/destination-name.tsx';
import { SigningCard } from './signing-card.tsx';
import { VersionList } from './version-list.tsx';
import { WaiverActions } from './waiver-actions.tsx';

type WaiverDelivery = WaiverDetail['deliveries'][number];

const columns: readonly Column<WaiverDelivery>[] = [
  { heading: texts.fields.state, cell: ({ state }) => <DeliveryBadge state={state} />, onCard: 'bare' },
  {
    heading: texts.fields.version,
    cell: ({ id, version }) => (
      <Link to="/deliveries/$id" params={{ id }}>
        {texts.version(version)}
      </Link>
    ),
  },
  {
    heading: texts.fields.destination,
    cell: ({ destination }) => <DestinationNameById id={destination} />,
    onCard: 'title',
  },
  { heading: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
  {
    heading: 'Next attempt',
    cell: ({ nextAttemptAt: at }) => at && <DateTime value={at} style="relative" />,
  },
  { heading: texts.fields.lastError, cell: ({ lastErrorCode: code }) => code && texts.errorCodes(code) },
];

const route = getRouteApi('/waivers/$pool/$id');

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** One guest's waiver: its answers, and each version's deliveries. */
export function WaiverPage() {
  const { pool, id } = route.useParams();
  const { data: waiver, error, refetch } = useQuery(waiverQuery(pool, id));
  const problem = <ProblemNotice error={error} retry={() => void refetch()} />;
  // Once a guest is erased, nothing that was read before stays on the page.
  if (waiver === undefined || isProblem(error, 'waiver_erased')) {
    return error === null ? <Loading /> : <Page title="Waiver">{problem}</Page>;
  }
  const { bookingId, bookingGuestId, bookingSystem, answers } = waiver;
  return (
    <Page
      title={nameOfGuest(waiver)}
      lead={<WaiverBadge waiver={waiver} />}
      actions={<WaiverActions waiver={waiver} />}
    >
      {problem}
      {waiver.hold === undefined ? null : (
        <Notice tone="warning" title="Held">
          {waiver.hold.reason === null
            ? 'Exempt from retention and erasure.'
            : `Exempt from retention and erasure: ${waiver.hold.reason}`}
        </Notice>
      )}
      <Card title="Record">
        <Facts
          items={{
            ...copyableFact(texts.fields.id, waiver.id),
            [texts.fields.pool]: waiver.pool,
            [texts.fields.booking]:
              bookingId === null ? (
                texts.waivers.walkIn
              ) : (
                <BookingLink pool={pool} id={bookingId} bookingSystem={bookingSystem} />
              ),
            [texts.fields.bookingSystem]: bookingSystem ?? undefined,
            'Guest in the booking': bookingGuestId ?? undefined,
            [texts.fields.lastVisit]: <DateTime value={waiver.lastVisit} />,
            'Valid until': waiver.validUntil === null ? undefined : formatCalendarDay(waiver.validUntil),
            'Rests on':
              waiver.reuseOf === null ? undefined : (
                <Link to="/waivers/$pool/$id" params={{ pool, id: waiver.reuseOf }}>
                  {waiver.reuseOf}
                </Link>
              ),
            [texts.fields.version]: waiver.version,
            [texts.fields.created]: <DateTime value={waiver.createdAt} />,
            [texts.fields.updated]: <DateTime value={waiver.updatedAt} />,
          }}
        />
      </Card>
      {waiver.signing === undefined ? null : <SigningCard waiver={waiver} signing={waiver.signing} />}
      <Card title="Answers">
        {answers === null ? (
          <Notice>{texts.waivers.redacted}</Notice>
        ) : (
          <Facts
            items={Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, textOf(value)]))}
          />
        )}
      </Card>
      <VersionList waiver={waiver} />
      <Card title={texts.pages.deliveries} isFlush>
        {waiver.deliveries.length === 0 ? (
          <Empty title="Nothing to send: the pool has no booking system and no webhook for it">
            Add one on the page of the pool; changes from then on are sent to it.
          </Empty>
        ) : (
          <DataTable
            label={texts.pages.deliveries}
            columns={columns}
            rows={waiver.deliveries}
            rowKey={({ id }) => id}
          />
        )}
      </Card>
    </Page>
  );
}
