import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isProblem } from '../../api/client.ts';
import { waiverQuery, waiverVersionsQuery } from '../../api/queries.ts';
import type { WaiverDetail, WaiverVersion } from '../../api/resources.ts';
import { copyableFact } from '../../components/copyable.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Card, Facts, MoreButton, Page, Timeline, TimelineItem } from '../../components/layout.tsx';
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
import { DestinationNameById } from '../operations/destination.tsx';
import { SigningCard } from './signing-card.tsx';
import { WaiverActions } from './waiver-actions.tsx';
import styles from './waivers.module.css';

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

interface Change {
  readonly key: string;
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly isRemoved: boolean;
  readonly isTime: boolean;
}

const fieldNames = texts.waivers.versionFields;
const bookingSystemActor = /^booking-system:(.*)$/s;

function changesOf({ fields, answers }: WaiverVersion): readonly Change[] {
  return [
    ...fields.map(({ field, before, after }) => ({
      key: `field ${field}`,
      name: fieldNames[field],
      // A field's `null` means that it was empty.
      before: before ?? 'empty',
      after: after ?? 'empty',
      isRemoved: false,
      isTime: field === 'lastVisit',
    })),
    ...(answers ?? []).map(({ name, kind, before, after }) => ({
      key: `answer ${name}`,
      name,
      before: kind === 'changed' ? (before ?? 'not kept') : undefined,
      after: kind === 'removed' ? undefined : (after ?? 'not kept'),
      isRemoved: kind === 'removed',
      isTime: false,
    })),
  ];
}

function Value({ value, isTime }: { readonly value: unknown; readonly isTime: boolean }) {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isTime ? <DateTime value={value} /> : value;
}

function actorOf({ actor, actorName }: WaiverVersion): string {
  if (actor === undefined) return '';
  const [, bookingSystem] = bookingSystemActor.exec(actor) ?? [];
  if (bookingSystem !== undefined) return `followed its booking at ${bookingSystem}`;
  if (actor.startsWith('check-in-link:')) return 'by the guest, on the check-in page';
  if (actor.startsWith('access-token:') && actorName === undefined) return 'by the waiver app';
  return `by ${actorName ?? actor}`;
}

/** A waiver's versions as a timeline: what each changed, who made it, and where it was delivered. */
function VersionList({ waiver }: { readonly waiver: WaiverDetail }) {
  const list = useInfiniteQuery(waiverVersionsQuery(waiver.pool, waiver.id, waiver.version));
  const versions = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Card title="Versions">
      {list.isPending ? <Loading /> : null}
      <ProblemNotice error={list.error} retry={() => void list.refetch()} />
      <Timeline>
        {versions.map((version) => (
          <VersionItem key={version.version} version={version} deliveries={waiver.deliveries} />
        ))}
      </Timeline>
      <MoreButton size="small" list={list} />
    </Card>
  );
}

interface VersionItemProps {
  readonly version: WaiverVersion;
  readonly deliveries: WaiverDetail['deliveries'];
}

function VersionItem({ version, deliveries }: VersionItemProps) {
  const { formerVersion, redacted } = version;
  const changes = changesOf(version);
  const sent = deliveries.filter((each) => each.version > formerVersion && each.version <= version.version);
  const hasMoved = formerVersion > 0 && version.version - formerVersion > 1;
  const isQuiet = changes.length === 0 && redacted === undefined;
  return (
    <TimelineItem
      line={
        <>
          <strong>{texts.version(version.version)}</strong>
          <DateTime value={version.at} />
          <span className="muted">{actorOf(version)}</span>
          {sent.map(({ id, state }) => (
            <Link key={id} to="/deliveries/$id" params={{ id }}>
              <DeliveryBadge state={state} />
            </Link>
          ))}
        </>
      }
    >
      {formerVersion === 0 ? <p className="muted">Created</p> : null}
      {formerVersion > 0 && isQuiet ? <p className="muted">Saved without changes</p> : null}
      {hasMoved ? (
        <p className="muted">{`Version ${version.version - 1} removed it from its previous booking.`}</p>
      ) : null}
      {changes.length === 0 ? null : (
        <dl className={styles.changes}>
          {changes.map(({ key, name, before, after, isRemoved, isTime }) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd>
                {before === undefined ? null : (
                  <del>
                    <Value value={before} isTime={isTime} />
                  </del>
                )}
                {isRemoved ? <span className="muted">removed</span> : null}
                {after === undefined ? null : (
                  <ins>
                    <Value value={after} isTime={isTime} />
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </TimelineItem>
  );
}
