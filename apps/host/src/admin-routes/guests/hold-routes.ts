import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { erasedResponse, missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';
import { requirePool } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';
import { holdAnswer, holdSchema } from './guest-fields.ts';

const bodySchema = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .describe('Why the record is on hold. Shown with the record, but not in the audit log.'),
});

/** Holds: they protect records from retention and erasure. */
export const holdRoutes: RouteModule = (app, services) => {
  const { holds } = services.store.guests;
  const url = '/v1/admin/pools/:pool/waivers/:id/hold';

  app.route({
    config: { access: 'operator', problems: erasedResponse },
    method: 'PUT',
    url,
    schema: {
      operationId: 'putWaiverHold',
      summary: 'Place a hold on a waiver record',
      description:
        'Exempts the record from retention and erasures. Replaces an existing hold. No message is sent.',
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
    config: { access: 'operator', problems: erasedResponse },
    method: 'DELETE',
    url,
    schema: {
      operationId: 'deleteWaiverHold',
      summary: 'Release the hold on a waiver record',
      description:
        'An erasure that the hold prevented must be requested again. Retention deletes the record when it is due.',
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
