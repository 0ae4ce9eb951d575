import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waiverVersionsQuery } from '../../api/queries.ts';
import type { WaiverDetail, WaiverVersion } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Card, MoreButton, Timeline, TimelineItem } from '../../components/layout.tsx';
import { DeliveryBadge, Loading, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from './waivers.module.css';

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
export function VersionList({ waiver }: { readonly waiver: WaiverDetail }) {
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
