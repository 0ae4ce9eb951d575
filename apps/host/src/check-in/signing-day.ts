import type { BookedSession } from '@waiver-service/core';
import { type FormContent, type SigningDay, validUntil } from '@waiver-service/forms';
import { dayIn, lastDayOf } from '../booking-reading/booking-days.ts';

const hourMs = 3_600_000;

/** How long a booking's links work after its last session: through the next day, in any time zone. */
const afterLastSessionMs = 48 * hourMs;

/** How long after its start a session is still the one to check in to. */
const checkInMs = 12 * hourMs;

type Session = Pick<BookedSession, 'startsAt' | 'activityId'>;

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

/**
 * The last day on which a signing is valid, counted from the day of the booking's last session as it is now, or without
 * a booking from the day of the signing.
 *
 * @param linked - undefined without a booking
 * @returns null for a validity by visit if the visit's days are unknown, because the booking system is unavailable
 */
export function signingEnd(
  form: Pick<FormContent, 'validity'>,
  linked: { readonly booking: { readonly bookedSessions: readonly Session[] } | undefined } | undefined,
  day: SigningDay,
  timeZone: string,
): string | null {
  const lastDay = lastDayOf(linked?.booking?.bookedSessions ?? [], timeZone);
  if (linked !== undefined && lastDay === undefined && 'visit' in form.validity) return null;
  return validUntil(form, { ...day, date: lastDay ?? day.date });
}
