import { deleteWaiverHold, putWaiverHold } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { personOf } from '../../authentication/caller.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { requirePool } from '../admin-paths.ts';
import { holdAnswer } from './guest-fields.ts';

/** Holds: they protect records from retention and erasure. */
@injectable()
export class HoldRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { holds } = this.store.guests;

    app.route({
      ...putWaiverHold,
      handler: async ({ params: { pool, id }, body: { reason }, caller }) => {
        await requirePool(this, pool);
        const hold = await holds.place(pool, id, { reason, by: personOf(caller).actor });
        if (hold === undefined) throw await missingWaiver(this, pool, id);
        return holdAnswer(hold, true);
      },
    });

    app.route({
      ...deleteWaiverHold,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (!(await holds.release(pool, id))) throw await missingWaiver(this, pool, id);
        return reply.code(204).send(null);
      },
    });
  }
}
