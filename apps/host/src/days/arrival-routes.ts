import { putBookingArrivals, putWaiverArrival } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { requirePool } from '../admin-routes/admin-paths.ts';
import { personOf } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { missingWaiver } from '../waiver-routes/waiver-problems.ts';

const bookingNotFound = (id: string) =>
  new HttpProblem(404, 'booking_not_found', `No booking ${JSON.stringify(id)} of this pool is known.`);

/** Arrivals, ticked by staff. */
@injectable()
export class ArrivalRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

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
