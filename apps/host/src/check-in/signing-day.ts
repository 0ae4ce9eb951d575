import type { BookedSession } from '@waiver-service/core';
import type { SigningDay } from '@waiver-service/forms';

const hourMs = 3_600_000;

/** How long after the last session of a booking its links work: the whole day after it, wherever that is. */
const afterLastSessionMs = 48 * hourMs;

/** How long after its start a session is still the one to check in to. */
const checkInMs = 12 * hourMs;

type Session = Pick<BookedSession, 'startsAt' | 'activityId'>;

// Making one takes 0.14 ms: a quarter of what a signing needs to be checked and sealed. There are some 600 time zones.
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

/** When the links to a booking end; undefined if it has no session. */
export function endOfLinks(sessions: readonly Session[]): Date | undefined {
  const starts = sessions.map(({ startsAt }) => Date.parse(startsAt));
  return starts.length === 0 ? undefined : new Date(Math.max(...starts) + afterLastSessionMs);
}

/** The activities of a booking, each once. */
export const activitiesOf = (sessions: readonly Session[]): string[] => [
  ...new Set(sessions.flatMap(({ activityId }) => activityId ?? [])),
];

/** The day that a guest signs for: that of the next session, or of the last one; without sessions, today. */
export function signingDay(sessions: readonly Session[], timeZone: string, now: Date): SigningDay {
  const starts = sessions.map(({ startsAt }) => new Date(startsAt)).toSorted((one, other) => +one - +other);
  const next = starts.find((start) => start.getTime() + checkInMs > now.getTime());
  return { date: dayIn(timeZone, next ?? starts.at(-1) ?? now), activities: activitiesOf(sessions) };
}
