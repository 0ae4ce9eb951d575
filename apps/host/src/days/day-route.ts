import { readDay } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { seesGuests } from '../authentication/caller.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { dayAnswer } from './day-answer.ts';
import { DayRefresh } from './refresh-day.ts';

/** `GET /v1/admin/pools/{pool}/days/{date}`: the day board. */
@injectable()
export class DayRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
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
