import type { BookedSession } from '@waiver-service/core';
import { type FormContent, type SigningDay, validUntil } from '@waiver-service/forms';
import { activitiesOf, dayIn, lastDayOf, type SessionTime } from '@waiver-service/integration';
import { lastMomentOf } from '@waiver-service/waivers';

const hourMs = 3_600_000;

/** How long a booking's links work after the end of its last session: through the next day, in any time zone. */
const afterLastSessionMs = 48 * hourMs;

/** How long after its start a session is still the one to check in to, even if it has ended. */
const checkInMs = 12 * hourMs;

type Session = SessionTime & Pick<BookedSession, 'activityId'>;

/** When the links to a booking end; undefined if it has no session. */
export function endOfLinks(sessions: readonly Session[]): Date | undefined {
  if (sessions.length === 0) return undefined;
  return new Date(Math.max(...sessions.map(lastMomentOf)) + afterLastSessionMs);
}

/**
 * The day that a guest signs for: that on which the next session starts, or the last one started; today without sessions,
 * or during one that started before.
 */
export function signingDay(sessions: readonly Session[], timeZone: string, now: Date): SigningDay {
  const times = sessions
    .map((session) => ({ start: Date.parse(session.startsAt), lastMoment: lastMomentOf(session) }))
    .toSorted((one, other) => one.start - other.start);
  const isAboutToStart = ({ start }: { readonly start: number }) => start + checkInMs > now.getTime();
  const next = times.find((time) => isAboutToStart(time) || time.lastMoment >= now.getTime());
  const isDuring = next !== undefined && !isAboutToStart(next);
  const shown = isDuring ? undefined : (next ?? times.at(-1));
  const date = dayIn(timeZone, shown === undefined ? now : new Date(shown.start));
  return { date, activities: activitiesOf(sessions) };
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
