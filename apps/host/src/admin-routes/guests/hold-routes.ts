import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';
import { requirePool } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';
import { holdAnswer, holdSchema } from './guest-fields.ts';

const bodySchema = z.strictObject({
  reason: z.string().trim().min(1).max(1_000).describe('Shown with the record; not in the audit log.'),
});

/** Holds: they protect records from retention and erasure. */
export const holdRoutes: RouteModule = (app, services) => {
  const { holds } = services.store.guests;
  const url = '/v1/admin/pools/:pool/waivers/:id/hold';

  app.route({
    config: { access: 'operator' },
    method: 'PUT',
    url,
    schema: {
      operationId: 'putWaiverHold',
      summary: 'Keep a waiver record from retention and erasures',
      description: 'Replaces an existing hold. No message is sent. 410 if the record is erased.',
      params: waiverParamsSchema,
      body: bodySchema,
      response: { 200: holdSchema },
    },
    handler: async ({ params: { pool, id }, body: { reason }, caller }) => {
      await requirePool(services, pool);
      const hold = await holds.place(pool, id, { reason, by: personOf(caller).actor });
      if (hold === undefined) throw await missingWaiver(services, pool, id);
      return holdAnswer(hold, true);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url,
    schema: {
      operationId: 'deleteWaiverHold',
      summary: 'Release a waiver record from its hold',
      description:
        'What the hold kept away is not made up for: an erasure has to be asked for again; retention takes the record when it is due.',
      params: waiverParamsSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      await requirePool(services, pool);
      if (!(await holds.release(pool, id))) throw await missingWaiver(services, pool, id);
      return reply.code(204).send(null);
    },
  });
};
