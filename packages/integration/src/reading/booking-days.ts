import type { periodFields, shownSessionSchema } from '@waiver-service/api';
import type { BookedSession, Booking } from '@waiver-service/core';
import { malformed } from '@waiver-service/http';
import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import { isInTimeRange, lastMomentOf } from '@waiver-service/waivers';
import type { z } from 'zod';

// Cached: creating one takes 0.14 ms, a quarter of the time to check and seal a signing. There are some 600 time zones.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  return format;
}

/** The calendar day of a moment in a time zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  const parts = formatFor(timeZone).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Adds a number of days, which may be negative, to a day; both `YYYY-MM-DD`. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a session takes place. */
export type SessionTime = Pick<BookedSession, 'startsAt' | 'endsAt'>;

/** The day on which the last session of a booking ends; undefined if it has none. See `lastMomentOf`. */
export function lastDayOf(sessions: readonly SessionTime[], timeZone: string): string | undefined {
  const moments = sessions.map(lastMomentOf).filter(isInTimeRange);
  return moments.length === 0 ? undefined : dayIn(timeZone, new Date(Math.max(...moments)));
}

/** Whether a session takes place within a period, whose end is excluded, or during a part of it. */
export const isSessionIn = (session: SessionTime, from: Date, until: Date): boolean =>
  Date.parse(session.startsAt) < until.getTime() && lastMomentOf(session) >= from.getTime();

/** A period, its end excluded. */
export interface ListPeriod {
  readonly from: Date;
  readonly until: Date;
}

const maxPeriodMs = 31 * 86_400_000;

function momentOf(given: Date | string, timeZone: string): Date {
  if (given instanceof Date) return given;
  return new Date(utcOfLocalDateTime(`${given}T00:00:00`, timeZone) ?? Number.NaN);
}

/** @throws HttpProblem 400 for a period that is empty or longer than 31 days */
export function periodOf(query: z.infer<z.ZodObject<typeof periodFields>>): ListPeriod {
  const [from, until] = [momentOf(query.from, query.timeZone), momentOf(query.until, query.timeZone)];
  const length = until.getTime() - from.getTime();
  if (length > 0 && length <= maxPeriodMs) return { from, until };
  throw malformed([{ path: 'until', message: 'a time after `from`, and at most 31 days after it' }]);
}

/**
 * Whether a booking was cancelled: by its plugin's map of statuses or, since the contract defines no statuses (2.1), by
 * the usual word for it.
 */
export const isCancelled = ({ statusGroup, status }: Booking): boolean =>
  statusGroup === 'cancelled' || (statusGroup === undefined && /cancell?ed/i.test(status));

/** A session in the form of {@link shownSessionSchema}. */
export const shownSession = ({
  startsAt,
  endsAt,
  activityId,
  activityName,
}: BookedSession): z.input<typeof shownSessionSchema> => ({ startsAt, endsAt, activityId, activityName });

/** The activities of a booking, each once. */
export const activitiesOf = (sessions: readonly Pick<BookedSession, 'activityId'>[]): string[] => [
  ...new Set(sessions.flatMap(({ activityId }) => activityId ?? [])),
];
