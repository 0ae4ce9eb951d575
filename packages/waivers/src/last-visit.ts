import type { LastVisitSource } from './waiver.ts';

const earliest = Date.UTC(1900, 0);
const end = Date.UTC(2200, 0);

/** Whether a time, in milliseconds, lies in the years 1900 to 2199, which both `Date` and PostgreSQL can hold. */
export const isInTimeRange = (time: number): boolean => time >= earliest && time < end;

/**
 * The last millisecond of a session: on the day of this moment it still counts. One that ends at midnight does not count
 * on the day that begins then; one without an end, or with an end before its start, counts only when it starts.
 */
export function lastMomentOf({
  startsAt,
  endsAt,
}: {
  readonly startsAt: string;
  readonly endsAt?: string | undefined;
}): number {
  const start = Date.parse(startsAt);
  const end = endsAt === undefined ? start : Date.parse(endsAt) - 1;
  return Math.max(start, end);
}

/** The fields of a booked session (contract 2.3) that determine `lastVisit`. */
export interface VisitSession {
  readonly startsAt: string;
  readonly activityId?: string | undefined;
}

/** The date of the visit and its source. */
export interface LastVisit {
  readonly lastVisit: Date;
  readonly lastVisitSource: LastVisitSource;
}

function earliestStart(sessions: readonly VisitSession[]): Date | undefined {
  const times = sessions.map(({ startsAt }) => Date.parse(startsAt)).filter(isInTimeRange);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

/**
 * `waiver.lastVisit` (contract 2.5) if the caller did not set it: the earliest start among the sessions of the guest's
 * own activities, otherwise among all sessions of the booking, otherwise the time of creation until a booking is read.
 * Starts out of range are skipped: they must not prevent signing.
 */
export function lastVisitOf(
  sessions: readonly VisitSession[],
  activities: readonly string[],
  createdAt: Date,
): LastVisit {
  const own = sessions.filter(
    ({ activityId }) => activityId !== undefined && activities.includes(activityId),
  );
  const start = earliestStart(own) ?? earliestStart(sessions);
  return start === undefined
    ? { lastVisit: createdAt, lastVisitSource: 'created' }
    : { lastVisit: start, lastVisitSource: 'session' };
}
