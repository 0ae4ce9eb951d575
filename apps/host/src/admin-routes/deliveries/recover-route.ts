import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import type { HostServices } from '../../composition/host-services.ts';
import { timeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { malformed } from '../../http/http-problem.ts';

const bodySchema = z.strictObject({
  pool: poolIdSchema.optional(),
  destination: z.string().min(1).max(100).optional(),
  state: z.enum(['dead', 'delivered', 'superseded']).optional().describe('`dead` where it is left out.'),
  since: timeSchema.describe('Deliveries made at or after this date-time.'),
  until: timeSchema.optional().describe('And before this one.'),
});

/** `POST /v1/admin/deliveries/recover`: sends again, in bulk, what had been given up or has ended otherwise. */
export const recoverRoute: RouteModule<Pick<HostServices, 'store'>> = (app, { store }) => {
  app.route({
    config: { access: 'admin' },
    method: 'POST',
    url: '/v1/admin/deliveries/recover',
    schema: {
      operationId: 'recoverDeliveries',
      tags: ['Operators'],
      summary: 'Send again, in bulk, what had been given up',
      body: bodySchema,
      response: { 202: z.object({ recovered: z.int().describe('How many were opened again.') }) },
    },
    handler: async ({ body }, reply) => {
      const { since, until } = body;
      if (until !== undefined && until <= since) {
        throw malformed([{ path: 'until', message: 'is not later than since' }]);
      }
      const { recovered } = await store.deliveries.recover(body);
      return reply.code(202).send({ recovered });
    },
  });
};
