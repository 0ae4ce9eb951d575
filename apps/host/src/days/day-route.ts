import { readDay } from '@waiver-service/api';
import { seesGuests } from '../authentication/caller.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { dayAnswer } from './day-answer.ts';

/** `GET /v1/admin/pools/{pool}/days/{date}`: the day board. */
export const dayRoute: RouteModule = (app, services) => {
  const { store, dayRefresh } = services;
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
};
