import { z } from 'zod';
import { poolPathSchema } from '../admin-routes/admin-paths.ts';
import { seesGuests } from '../authentication/caller.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { dayAnswer, daySchema } from './day-answer.ts';

/** A day in a path. */
export const dateSchema = z.iso
  .date({ error: 'a date written YYYY-MM-DD, such as 2027-06-12', abort: true })
  .refine((date) => date >= '1970-01-02' && date < '2200', 'a date between 1970 and 2200')
  .describe('Day in the pool’s time zone, such as `2027-06-12`.');

/** `GET /v1/admin/pools/{pool}/days/{date}`: the day board. */
export const dayRoute: RouteModule = (app, services) => {
  const { store, dayRefresh } = services;
  app.addHook('preClose', () => dayRefresh.stop());
  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url: '/v1/admin/pools/:pool/days/:date',
    schema: {
      operationId: 'readDay',
      summary: 'Read a day: its bookings, who has signed, and who has arrived',
      description:
        'Returns what is stored, without waiting for a booking system. In the background, the installed booking systems are queried for the bookings of the day, at most every three minutes for all callers together, and sooner after a failure; see `sources`. Bookings are kept until two days after their last session.',
      params: poolPathSchema.extend({ date: dateSchema }),
      response: { 200: daySchema },
    },
    handler: async ({ params: { pool: id, date }, caller }) => {
      const [setup, hasForm] = await Promise.all([store.pools.setup(id), store.forms.hasPublished(id)]);
      if (setup === undefined) throw unknownPool(id);
      const { day, sources } = await dayRefresh.read(setup, date);
      const today = dayIn(setup.timeZone, new Date());
      return dayAnswer({ day, today, hasForm, sources, withGuests: seesGuests(caller) });
    },
  });
};
