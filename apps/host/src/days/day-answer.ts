import { statusGroups } from '@waiver-service/core';
import { z } from 'zod';
import { shownSession, shownSessionSchema } from '../booking-reading/shown-session.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { hiddenMessage, redactedSchema } from '../http/guest-data.ts';
import { type Day, type DayBooking, type DayGuest, signingStates, type WalkIn } from './day.ts';
import type { DaySource } from './refresh-day.ts';

const arrivalSchema = z
  .object({
    at: dateTimeSchema,
    by: z
      .string()
      .describe('Who recorded the arrival: a name or, without one, the actor as in the audit log.'),
  })
  .meta({ id: 'Arrival' });

const guestSchema = z
  .object({
    key: z.string().describe('Identifies the guest when arrivals are recorded.'),
    placeKey: z
      .string()
      .optional()
      .describe(
        'For an `extra` guest who takes the place of an unnamed guest: the key of that place. To undo the arrival, send both keys.',
      ),
    kind: z
      .enum(['listed', 'extra', 'unnamed'])
      .describe(
        '`listed`: named by the booking. `extra`: signed for the booking, which does not name the guest. `unnamed`: expected, but not named by the booking.',
      ),
    bookingGuestId: z.string().optional(),
    name: z.string().optional(),
    waiverId: z.string().optional(),
    state: z
      .enum(signingStates)
      .describe('`begun`: the first pages of the form are filled in, but the form is not signed yet.'),
    validUntil: z.iso
      .date()
      .optional()
      .describe('Last day of a `missing` guest’s waiver that expires before the visit.'),
    flags: z
      .array(z.string())
      .describe('Labels of flagged answers, for staff; never the answers themselves.'),
    arrival: arrivalSchema.nullable(),
  })
  .meta({ id: 'DayGuest' });

const bookingSchema = z
  .object({
    bookingSystem: z.string(),
    bookingId: z.string(),
    reference: z.string().describe('The booking’s id, as the booking system shows it.'),
    status: z
      .string()
      .nullable()
      .describe('Booking status, as the booking system names it; null until the booking has been read.'),
    statusGroup: z.enum(statusGroups).nullable(),
    isCancelled: z
      .boolean()
      .describe(
        'Whether the booking is cancelled, by its `statusGroup` or, without one, by the wording of its `status`.',
      ),
    booker: z.string().nullable().describe('The contact’s name; null for a viewer.'),
    notes: z.string().nullable().describe('The booking’s notes; null for a viewer.'),
    sessions: z.array(shownSessionSchema).describe('The sessions of the booking on this day.'),
    guests: z.array(guestSchema).nullable().describe('The guests of the booking; null for a viewer.'),
    signed: z
      .int()
      .describe(
        'Number of expected guests who have signed. An `extra` guest counts in place of an unnamed guest, never in place of a `listed` one.',
      ),
    expected: z.int().describe('Number of expected guests: `pax`, or more if the booking names more guests.'),
    arrived: z.int(),
    fetchedAt: dateTimeSchema
      .nullable()
      .describe('When the booking system returned the booking; null if that is more than 24 hours ago.'),
  })
  .meta({ id: 'DayBooking' });

const walkInSchema = guestSchema
  .omit({ kind: true, placeKey: true, bookingGuestId: true, validUntil: true })
  .required({ waiverId: true })
  .extend({
    signedAt: dateTimeSchema,
    signing: z
      .string()
      .nullable()
      .describe('Id of the signing, which guests who signed together share; null if there is none.'),
  })
  .meta({ id: 'WalkIn' });

const countsSchema = z.object({
  bookings: z.int(),
  guests: z.int().describe('Number of expected guests, including walk-ins.'),
  signed: z.int(),
  missing: z.int(),
  arrived: z.int(),
});

const sourceSchema = z
  .object({
    bookingSystem: z.string(),
    displayName: z.string(),
    lists: z
      .boolean()
      .describe(
        'Whether the booking system lists bookings. If not, the day has only bookings that were read one by one.',
      ),
    readAt: dateTimeSchema
      .nullable()
      .describe('When the booking system last listed the bookings of this day; null if it never has.'),
    isReading: z.boolean(),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the last read failed; null if it succeeded.'),
    unreadable: z.int().describe('Number of listed bookings that could not be read.'),
    isCut: z
      .boolean()
      .describe('Whether the booking system has more bookings than were read; at most 1,000 are read.'),
  })
  .meta({ id: 'DaySource' });

/** The response of `GET …/days/{date}`. */
export const daySchema = z
  .object({
    pool: z.string(),
    date: z.iso.date(),
    timeZone: z.string(),
    today: z.iso.date().describe('Today’s date in the pool’s time zone.'),
    hasForm: z.boolean().describe('Whether the pool has a published form, so that guests can sign.'),
    redacted: redactedSchema,
    counts: countsSchema.describe('Totals of the day, without cancelled bookings.'),
    groups: z
      .array(
        shownSessionSchema
          .extend({
            bookings: z.array(z.int()).describe('Indexes of the group’s bookings in `bookings`, from 0.'),
          })
          .meta({ id: 'DayGroup' }),
      )
      .describe(
        'Bookings grouped by start and activity, in this order. A booking is in the group of each of its sessions.',
      ),
    bookings: z.array(bookingSchema),
    walkIns: z
      .array(walkInSchema)
      .nullable()
      .describe('Guests who signed without a booking; null for a viewer.'),
    isCut: z
      .boolean()
      .describe('Whether the day has more than 1,000 bookings or 500 walk-ins; the rest are not returned.'),
    sources: z.array(sourceSchema),
  })
  .meta({ id: 'Day' });

type DayAnswer = z.input<typeof daySchema>;
type GroupAnswer = DayAnswer['groups'][number];

const hasArrived = ({ arrival }: DayGuest) => arrival !== undefined;

const arrivalAnswer = ({ arrival }: DayGuest) =>
  arrival === undefined
    ? null
    : { at: arrival.arrivedAt, by: arrival.arrivedBy.name ?? arrival.arrivedBy.id };

const personFields = ({ key, name, state, flags, ...guest }: DayGuest) => ({
  key,
  ...(name === undefined ? {} : { name }),
  ...(guest.waiverId === undefined ? {} : { waiverId: guest.waiverId }),
  state,
  flags: [...flags],
});

function guestAnswer(guest: DayGuest): z.input<typeof guestSchema> {
  const { kind, placeKey, bookingGuestId, validUntil } = guest;
  return {
    ...personFields(guest),
    kind: kind === 'walk-in' ? 'extra' : kind,
    ...(placeKey === undefined ? {} : { placeKey }),
    ...(bookingGuestId === undefined ? {} : { bookingGuestId }),
    ...(validUntil === undefined ? {} : { validUntil }),
    arrival: arrivalAnswer(guest),
  };
}

const walkInAnswer = (walkIn: WalkIn): z.input<typeof walkInSchema> => ({
  ...personFields(walkIn),
  waiverId: walkIn.waiverId,
  arrival: arrivalAnswer(walkIn),
  signedAt: walkIn.signedAt,
  signing: walkIn.signing,
});

function bookingAnswer(day: DayBooking, withGuests: boolean): z.input<typeof bookingSchema> {
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
    guests: withGuests ? guests.map(guestAnswer) : null,
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
): z.input<typeof sourceSchema> {
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
    walkIns: withGuests ? day.walkIns.map(walkInAnswer) : null,
    isCut: day.isCut,
    sources: sources.map((source) => sourceAnswer(source, withGuests)),
  };
}
