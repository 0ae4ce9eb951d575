import type { AnswerOf, readKioskDay } from '@waiver-service/api';
import { nameKey, type PublishedForm } from '@waiver-service/forms';
import type { CheckInSession } from '../host/calls.ts';
import { guestKey } from '../outbox/waiting.ts';
import { dayIn } from '../text/formats.ts';

type AnsweredDay = AnswerOf<typeof readKioskDay>;

/** A kiosk's data for one day: bookings and forms. */
export interface KioskDay extends Readonly<Omit<AnsweredDay, 'forms'>> {
  readonly forms: readonly PublishedForm[];
}
export type KioskBooking = Readonly<KioskDay['bookings'][number]>;
/** Verifies a PIN on the tablet. */
export type PinVerifier = KioskDay['kiosk']['pin'];

/** An activity at a start time, and the bookings for it. */
export interface KioskSession {
  readonly key: string;
  readonly startsAt: string;
  readonly activityName?: string;
  readonly bookings: readonly KioskBooking[];
}

const keyOf = ({ startsAt, activityId = '' }: KioskBooking['sessions'][number]) =>
  `${startsAt} ${activityId}`;

/** A day's sessions, sorted by start. A booking appears in each of its sessions. */
export function sessionsOf({ bookings }: KioskDay): readonly KioskSession[] {
  const found = new Map<string, KioskSession>();
  for (const booking of bookings) {
    for (const session of booking.sessions) {
      const key = keyOf(session);
      const { startsAt, activityName } = session;
      const known = found.get(key);
      found.set(key, {
        ...{ key, startsAt },
        ...(activityName === undefined ? {} : { activityName }),
        bookings: [...(known?.bookings ?? []), booking],
      });
    }
  }
  return [...found.values()].sort(
    (one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt) || (one.key < other.key ? -1 : 1),
  );
}

/**
 * Bookings that match every search word, as the start of a guest's name or as part of the reference: by the letters that
 * people type, as names are compared everywhere.
 */
export function findBookings(bookings: readonly KioskBooking[], search: string): readonly KioskBooking[] {
  const words = nameKey(search).split(' ').filter(Boolean);
  return bookings.filter(({ reference, guests }) => {
    const code = nameKey(reference).replaceAll(' ', '');
    const names = guests.flatMap(({ label }) => nameKey(label).split(' '));
    return words.every((word) => code.includes(word) || names.some((name) => name.startsWith(word)));
  });
}

/** The check-in session of a booking, or of a walk-in; undefined if there is nothing to sign. */
export function checkInSessionOf(
  day: KioskDay,
  booking: KioskBooking | null,
  waiting: readonly string[],
): CheckInSession | undefined {
  const index = booking === null ? day.walkInForm : booking.form;
  const form = index === null ? undefined : day.forms[index];
  if (form === undefined) return undefined;
  return {
    pool: day.pool,
    link: { kind: 'kiosk', expiresAt: null },
    booking: booking && { reference: booking.reference, sessions: booking.sessions },
    guests: (booking?.guests ?? []).map((guest) => ({
      ...guest,
      signed: guest.signed || (booking !== null && waiting.includes(guestKey(booking, guest.bookingGuestId))),
    })),
    day: { date: day.date, activities: booking?.activities ?? [], timeZone: day.timeZone },
    form,
    sealing: day.sealing,
  };
}

/**
 * Drops the bookings once their day is over: the tablet keeps guests' names for one day only.
 * @param now - by the service's clock
 */
export const asOf = (day: KioskDay, now: Date): KioskDay =>
  day.date >= dayIn(day.timeZone, now) ? day : { ...day, bookings: [] };
