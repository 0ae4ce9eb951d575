import { deleteWaiverHold, putWaiverHold } from '@waiver-service/api';
import { personOf } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { requirePool } from '../admin-paths.ts';
import { holdAnswer } from './guest-fields.ts';

/** Holds: they protect records from retention and erasure. */
export const holdRoutes: RouteModule = (app, services) => {
  const { holds } = services.store.guests;

  app.route({
    ...putWaiverHold,
    handler: async ({ params: { pool, id }, body: { reason }, caller }) => {
      await requirePool(services, pool);
      const hold = await holds.place(pool, id, { reason, by: personOf(caller).actor });
      if (hold === undefined) throw await missingWaiver(services, pool, id);
      return holdAnswer(hold, true);
    },
  });

  app.route({
    ...deleteWaiverHold,
    handler: async ({ params: { pool, id } }, reply) => {
      await requirePool(services, pool);
      if (!(await holds.release(pool, id))) throw await missingWaiver(services, pool, id);
      return reply.code(204).send(null);
    },
  });
};
