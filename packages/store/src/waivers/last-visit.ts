import type { LastVisitSource } from '../database/tables-outbox.ts';
import { isInTimeRange } from '../database/time-range.ts';

/** What is looked at of a booked session (contract 2.3). */
export interface VisitSession {
  readonly startsAt: string;
  readonly activityId?: string | undefined;
}

/** When the guest comes, and how that is known. */
export interface LastVisit {
  readonly lastVisit: Date;
  readonly lastVisitSource: LastVisitSource;
}

function earliest(sessions: readonly VisitSession[]): Date | undefined {
  const times = sessions.map(({ startsAt }) => Date.parse(startsAt)).filter(isInTimeRange);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

/**
 * `waiver.lastVisit` (contract 2.5) where the caller did not give it: the earliest start among the sessions that the
 * guest checks in to, else among all of the booking's, else the time of creation until a booking is read. A start that
 * cannot be stored is passed over: it must not keep anyone from signing.
 */
export function lastVisitOf(
  sessions: readonly VisitSession[],
  activities: readonly string[],
  createdAt: Date,
): LastVisit {
  const own = sessions.filter(
    ({ activityId }) => activityId !== undefined && activities.includes(activityId),
  );
  const start = earliest(own) ?? earliest(sessions);
  return start === undefined
    ? { lastVisit: createdAt, lastVisitSource: 'created' }
    : { lastVisit: start, lastVisitSource: 'session' };
}
