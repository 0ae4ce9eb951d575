import {
  type DayGuest,
  type dayBookingSchema,
  type daySchema,
  type daySourceSchema,
  putBookingArrivals,
  putWaiverArrival,
  readDay,
} from '@waiver-service/api';
import {
  type HostApp,
  HttpProblem,
  hiddenMessage,
  personOf,
  RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import { dayIn, missingWaiver, requirePool, shownSession } from '@waiver-service/integration';
import { SigningStore } from '@waiver-service/signing';
import { ContainerModule, inject, injectable } from 'inversify';
import type { z } from 'zod';
import { DayStore, openDayStore } from './data/day-store.ts';
import type { Day, DayBooking } from './day.ts';
import { DayReader, DayRefresh, type DaySource } from './refresh-day.ts';

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
function dayAnswer({ day, today, hasForm, sources, withGuests }: DayAnswerParts): DayAnswer {
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

/** `GET /v1/admin/pools/{pool}/days/{date}`: the day board. */
@injectable()
class DayRoute implements RouteModule {
  constructor(
    @inject(DayStore) private readonly store: DayStore,
    @inject(DayRefresh) private readonly dayRefresh: DayRefresh,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, dayRefresh } = this;
    app.addHook('preClose', () => dayRefresh.stop());
    app.route({
      ...readDay,
      handler: async ({ params: { pool: id, date }, caller }) => {
        const [setup, hasForm] = await Promise.all([store.pools.setup(id), store.forms.hasPublished(id)]);
        if (setup === undefined) throw unknownPool(id);
        const { day, sources } = await dayRefresh.read(setup, date);
        const today = dayIn(setup.timeZone, new Date());
        return dayAnswer({ day, today, hasForm, sources, withGuests: seesGuests(caller) });
      },
    });
  }
}

const bookingNotFound = (id: string) =>
  new HttpProblem(404, 'booking_not_found', `No booking ${JSON.stringify(id)} of this pool is known.`);

/** Arrivals, ticked by staff. */
@injectable()
class ArrivalRoutes implements RouteModule {
  constructor(@inject(DayStore) readonly store: DayStore) {}

  addRoutes(app: HostApp): void {
    const { arrivals } = this.store.days;

    app.route({
      ...putBookingArrivals,
      handler: async ({ params: { pool, date: day, booking_id: bookingId }, body, caller }, reply) => {
        await requirePool(this, pool);
        const { actor: id, name } = personOf(caller);
        const of = { pool, day, bookingSystem: body.bookingSystem, bookingId, guests: body.guests };
        if (!(await arrivals.setOfBooking(of, body.arrived, { id, name }))) throw bookingNotFound(bookingId);
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...putWaiverArrival,
      handler: async ({ params: { pool, date: day, id: waiverId }, body, caller }, reply) => {
        await requirePool(this, pool);
        const { actor: id, name } = personOf(caller);
        if (!(await arrivals.setOfWaiver({ pool, day, waiverId }, body.arrived, { id, name })))
          throw await missingWaiver(this, pool, waiverId);
        return reply.code(204).send(null);
      },
    });
  }
}

/** The days on which guests come: who is expected, who has signed, who has arrived. */
export const dayBoardModule = new ContainerModule(({ bind }) => {
  bind(DayStore).toResolvedValue(openDayStore, [SigningStore]);
  bind(DayReader).toSelf();
  bind(DayRefresh).toSelf();
  bind(RouteModule).to(DayRoute);
  bind(RouteModule).to(ArrivalRoutes);
});
