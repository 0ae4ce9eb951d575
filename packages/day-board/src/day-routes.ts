import { putBookingArrivals, putWaiverArrival, readDay } from '@waiver-service/api';
import {
  type HostApp,
  HttpProblem,
  personOf,
  RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import { dayIn, missingWaiver, requirePool } from '@waiver-service/integration';
import { SigningStore } from '@waiver-service/signing';
import { ContainerModule, inject, injectable } from 'inversify';
import { DayStore, openDayStore } from './data/day-store.ts';
import { dayAnswer } from './day-answer.ts';
import { DayReader } from './read-day.ts';
import { DayRefresh } from './refresh-day.ts';

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
