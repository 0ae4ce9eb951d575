import type { DayGuest, dayBookingSchema, daySchema, daySourceSchema } from '@waiver-service/api';
import { hiddenMessage } from '@waiver-service/http';
import { shownSession } from '@waiver-service/integration';
import type { z } from 'zod';
import type { Day, DayBooking } from './day.ts';
import type { DaySource } from './refresh-day.ts';

type DayAnswer = z.input<typeof daySchema>;
type GroupAnswer = DayAnswer['groups'][number];

const hasArrived = ({ arrival }: Pick<DayGuest, 'arrival'>) => arrival !== null;

function bookingAnswer(day: DayBooking, withGuests: boolean): z.input<typeof dayBookingSchema> {
  const { booking, guests, sessions } = day;
  return {
    bookingSystem: day.bookingSystem,
    bookingId: day.bookingId,
    reference: booking?.id ?? day.bookingId,
    status: booking?.status ?? null,
    statusGroup: booking?.statusGroup ?? null,
    isCancelled: day.isCancelled,
    booker: (withGuests && booking?.contact.name) || null,
    notes: (withGuests && booking?.notes) || null,
    sessions: sessions.map(shownSession),
    guests: withGuests ? [...guests] : null,
    signed: day.signed,
    expected: day.expected,
    arrived: guests.filter(hasArrived).length,
    fetchedAt: day.fetchedAt ?? null,
  };
}

/** By start and activity: activities of the same name and time are the same to staff. */
function groupsOf(bookings: readonly DayBooking[]): GroupAnswer[] {
  const groups = new Map<string, GroupAnswer>();
  for (const [place, { sessions }] of bookings.entries()) {
    for (const session of sessions) {
      const { startsAt, activityId, activityName } = session;
      const key = JSON.stringify([Date.parse(startsAt), activityName ?? activityId]);
      const group = groups.get(key) ?? { ...shownSession(session), bookings: [] };
      groups.set(key, group);
      if (group.bookings.at(-1) !== place) group.bookings.push(place);
    }
  }
  return [...groups.values()].toSorted(
    (one, other) =>
      Date.parse(one.startsAt) - Date.parse(other.startsAt) ||
      (one.activityName ?? '').localeCompare(other.activityName ?? '', 'en'),
  );
}

function countsOf({ bookings, walkIns }: Day): DayAnswer['counts'] {
  const open = bookings.filter(({ isCancelled }) => !isCancelled);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const signedWalkIns = walkIns.filter(({ state }) => state === 'signed').length;
  return {
    bookings: open.length,
    guests: sum(open.map(({ expected }) => expected)) + walkIns.length,
    signed: sum(open.map(({ signed }) => signed)) + signedWalkIns,
    missing:
      sum(open.map(({ expected, signed }) => Math.max(0, expected - signed))) +
      walkIns.length -
      signedWalkIns,
    arrived:
      sum(open.map(({ guests }) => guests.filter(hasArrived).length)) + walkIns.filter(hasArrived).length,
  };
}

function sourceAnswer(
  { bookingSystem, displayName, lists, reading }: DaySource,
  withMessages: boolean,
): z.input<typeof daySourceSchema> {
  const { problem } = reading ?? {};
  return {
    bookingSystem,
    displayName,
    lists,
    readAt: (lists && reading?.readAt) || null,
    isReading: reading === undefined || reading.isUnderWay || reading.isDue,
    problem:
      problem === undefined ? null : { ...problem, ...(withMessages ? {} : { message: hiddenMessage }) },
    unreadable: reading?.unreadable ?? 0,
    isCut: reading?.isCut ?? false,
  };
}

interface DayAnswerParts {
  readonly day: Day;
  readonly today: string;
  readonly hasForm: boolean;
  readonly sources: readonly DaySource[];
  /** Whether the caller may see the guests. */
  readonly withGuests: boolean;
}

/** The response for a day; without guests' data if the caller may not see it. */
export function dayAnswer({ day, today, hasForm, sources, withGuests }: DayAnswerParts): DayAnswer {
  return {
    pool: day.pool,
    date: day.date,
    timeZone: day.timeZone,
    today,
    hasForm,
    ...(withGuests ? {} : { redacted: true as const }),
    counts: countsOf(day),
    groups: groupsOf(day.bookings),
    bookings: day.bookings.map((booking) => bookingAnswer(booking, withGuests)),
    walkIns: withGuests ? [...day.walkIns] : null,
    isCut: day.isCut,
    sources: sources.map((source) => sourceAnswer(source, withGuests)),
  };
}
