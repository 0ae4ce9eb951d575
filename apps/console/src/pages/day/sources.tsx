import type { DaySource } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Notice } from '../../components/notice.tsx';
import { dayTexts } from '../../text/english/day.ts';
import styles from './day.module.css';

/** When each booking system was last read for the day, and which could not be read. */
export function DaySources({ sources }: { readonly sources: readonly DaySource[] }) {
  const failed = sources.filter(({ problem }) => problem !== null);
  return (
    <>
      {failed.map(({ bookingSystem, displayName, problem }) => (
        <Notice key={bookingSystem} tone="warning">
          {dayTexts.sources.failed(displayName, problem?.message ?? '')}
        </Notice>
      ))}
      <ul className={`${styles.sources} muted`}>
        {sources
          .filter(({ problem }) => problem === null)
          .map((source) => (
            <li key={source.bookingSystem}>
              <Source {...source} />
            </li>
          ))}
      </ul>
    </>
  );
}

function Source({ displayName, lists, readAt, isReading, unreadable, isCut }: DaySource) {
  const { sources } = dayTexts;
  if (!lists) return sources.doesNotList(displayName);
  const remarks = [
    ...(unreadable === 0 ? [] : [sources.unreadable(unreadable)]),
    ...(isCut ? [sources.cut] : []),
  ];
  return (
    <>
      {readAt === null ? (
        isReading ? (
          sources.isReading(displayName)
        ) : (
          displayName
        )
      ) : (
        <>
          {displayName}: {sources.read} <DateTime value={readAt} style="relative" />
        </>
      )}
      {remarks.map((remark) => `, ${remark}`)}
    </>
  );
}
