import type { InvitationOccasion } from '@waiver-service/api';
import { dayIn, daysAfter } from '@waiver-service/integration';
import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import type { Occasions, QuietHours } from './settings.ts';

/** An occasion that is due at a set time. */
export type TimedOccasion = Exclude<InvitationOccasion, 'staff'>;

/** An occasion of a day. */
export interface DueOccasion {
  readonly occasion: TimedOccasion;
  /** Of the booking's first session: `YYYY-MM-DD` in the pool's time zone. */
  readonly day: string;
}

const dayMs = 86_400_000;

// Cached: computing one takes half a millisecond, and the bookings of a day share them.
const moments = new Map<string, Date>();
const maxMoments = 1_000;

/** The moment of an hour of a day. If clocks skip it, it moves forward by the change. */
function momentOf(day: string, hour: number, timeZone: string): Date {
  const time = `${day}T${String(hour).padStart(2, '0')}:00:00`;
  const key = `${time} ${timeZone}`;
  const known = moments.get(key);
  if (known !== undefined) return known;
  const utc = utcOfLocalDateTime(time, timeZone);
  if (utc === undefined) throw new Error(`${day} is no day`);
  if (moments.size >= maxMoments) moments.clear();
  const moment = new Date(utc);
  moments.set(key, moment);
  return moment;
}

const hourFormats = new Map<string, Intl.DateTimeFormat>();

function hourIn(timeZone: string, moment: Date): number {
  let format = hourFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
    hourFormats.set(timeZone, format);
  }
  return Number(format.format(moment));
}

function timesOf(
  { daysBefore, eveningBefore, morningOf }: Occasions,
  day: string,
  timeZone: string,
): { readonly occasion: TimedOccasion; readonly at: Date }[] {
  const at = (occasion: TimedOccasion, days: number, hour: number) => ({
    occasion,
    at: momentOf(daysAfter(day, -days), hour, timeZone),
  });
  return [
    ...(daysBefore === null ? [] : [at('days-before', daysBefore.days, daysBefore.hour)]),
    ...(eveningBefore === null ? [] : [at('evening-before', 1, eveningBefore.hour)]),
    ...(morningOf === null ? [] : [at('morning-of', 0, morningOf.hour)]),
  ];
}

/** How far ahead bookings may have an occasion, in milliseconds. */
export const horizonMs = ({ daysBefore }: Occasions): number => ((daysBefore?.days ?? 1) + 2) * dayMs;

/**
 * The occasion of a booking that is due: the latest one whose time has come, so that a late booking gets one message,
 * not three at once. Undefined before the first occasion, and once the session has started.
 *
 * A booking moved to another day gets the occasions of that day; one moved within its day keeps its own.
 */
export function dueOccasion(
  now: Date,
  startsAt: Date,
  { occasions, timeZone }: { readonly occasions: Occasions; readonly timeZone: string },
): DueOccasion | undefined {
  if (now >= startsAt) return undefined;
  const day = dayIn(timeZone, startsAt);
  const due = timesOf(occasions, day, timeZone).filter(({ at }) => at <= now);
  const last = due.at(-1);
  return last && { occasion: last.occasion, day };
}

/** When the current quiet hours end; undefined outside them. */
export function quietUntil(now: Date, quiet: QuietHours | null, timeZone: string): Date | undefined {
  if (quiet === null) return undefined;
  const { from, until } = quiet;
  const hour = hourIn(timeZone, now);
  const isQuiet = from < until ? hour >= from && hour < until : hour >= from || hour < until;
  if (!isQuiet) return undefined;
  const today = dayIn(timeZone, now);
  return momentOf(hour < until ? today : daysAfter(today, 1), until, timeZone);
}
