import { statusGroups } from '@waiver-service/core';
import { z } from 'zod';
import { shownSession, shownSessionSchema } from '../booking-reading/shown-session.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { hiddenMessage, redactedSchema } from '../http/guest-data.ts';
import { type Day, type DayBooking, type DayGuest, signingStates, type WalkIn } from './day.ts';
import type { DaySource } from './refresh-day.ts';

const arrivalSchema = z
  .object({ at: dateTimeSchema, by: z.string().describe('Who ticked it: a name, or as in the audit log.') })
  .meta({ id: 'Arrival' });

const guestSchema = z
  .object({
    key: z.string().describe('Names the guest when arrivals are set.'),
    placeKey: z
      .string()
      .optional()
      .describe(
        'Of an `extra` guest in a place without a name: the key of that place. Send both to take an arrival back.',
      ),
    kind: z
      .enum(['listed', 'extra', 'unnamed'])
      .describe(
        '`listed`: the booking names the guest. `extra`: signed for this booking as somebody whom it does not name. `unnamed`: expected, without a name.',
      ),
    bookingGuestId: z.string().optional(),
    name: z.string().optional(),
    waiverId: z.string().optional(),
    state: z
      .enum(signingStates)
      .describe('`begun`: the first pages of the form are filled in, and it is not signed yet.'),
    validUntil: z.iso
      .date()
      .optional()
      .describe('Of a guest who is missing: the last day of their waiver, which runs out before the visit.'),
    flags: z.array(z.string()).describe('What staff must see of the answers; never the answers.'),
    arrival: arrivalSchema.nullable(),
  })
  .meta({ id: 'DayGuest' });

const bookingSchema = z
  .object({
    bookingSystem: z.string(),
    bookingId: z.string(),
    reference: z.string().describe('The id as the booking system shows it.'),
    status: z.string().nullable().describe('As the booking system names it; null until it has been read.'),
    statusGroup: z.enum(statusGroups).nullable(),
    isCancelled: z.boolean().describe('By the group or, without one, by the word of its status.'),
    booker: z.string().nullable().describe('The contact’s name; null for a viewer.'),
    notes: z.string().nullable().describe('Of the booking; null for a viewer.'),
    sessions: z.array(shownSessionSchema).describe('Those of the day.'),
    guests: z.array(guestSchema).nullable().describe('null for a viewer.'),
    signed: z
      .int()
      .describe(
        'Of those who are expected. An `extra` guest counts in a place without a name, and never instead of a `listed` one.',
      ),
    expected: z.int().describe('`pax`, or more if the booking names more guests.'),
    arrived: z.int(),
    fetchedAt: dateTimeSchema
      .nullable()
      .describe('When the booking system gave it; null if that is more than 24 hours ago.'),
  })
  .meta({ id: 'DayBooking' });

const walkInSchema = guestSchema
  .omit({ kind: true, placeKey: true, bookingGuestId: true, validUntil: true })
  .required({ waiverId: true })
  .extend({
    signedAt: dateTimeSchema,
    signing: z.string().nullable().describe('The same for those who have signed together.'),
  })
  .meta({ id: 'WalkIn' });

const countsSchema = z.object({
  bookings: z.int(),
  guests: z.int().describe('Those who are expected; walk-ins among them.'),
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
      .describe('Whether it lists bookings. If not, the day has those that were read one by one.'),
    readAt: dateTimeSchema.nullable().describe('When it last gave the bookings of this day.'),
    isReading: z.boolean(),
    problem: z.object({ code: z.string(), message: z.string() }).nullable().describe('Of the last reading.'),
    unreadable: z.int().describe('The number of bookings that it listed and that could not be read.'),
    isCut: z.boolean().describe('Whether it has more bookings than are read: 1,000.'),
  })
  .meta({ id: 'DaySource' });

/** The response of `GET …/days/{date}`. */
export const daySchema = z
  .object({
    pool: z.string(),
    date: z.iso.date(),
    timeZone: z.string(),
    today: z.iso.date().describe('The day of the pool’s clocks at the time of the response.'),
    hasForm: z.boolean().describe('Whether the pool has a published form, so that guests can sign.'),
    redacted: redactedSchema,
    counts: countsSchema.describe('Without cancelled bookings.'),
    groups: z
      .array(
        shownSessionSchema
          .extend({
            bookings: z.array(z.int()).describe('Their places in `bookings`, from 0.'),
          })
          .meta({ id: 'DayGroup' }),
      )
      .describe(
        'By start and activity, in this order. A booking stands in the group of each of its sessions.',
      ),
    bookings: z.array(bookingSchema),
    walkIns: z.array(walkInSchema).nullable().describe('null for a viewer.'),
    isCut: z.boolean().describe('Whether there are more than 1,000 bookings or 500 walk-ins.'),
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
