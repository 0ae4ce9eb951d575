import { poolIdSchema } from '@waiver-service/core';
import { maxRunningRecoveries, maxRunningRecoveriesPerPool } from '@waiver-service/store';
import { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { dateTimeSchema, timeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { idPathSchema } from '../admin-paths.ts';

const bodySchema = z.strictObject({
  pool: poolIdSchema
    .optional()
    .describe('The pool of the deliveries to retry; all pools of the caller if omitted.'),
  destination: z.string().min(1).max(100).optional(),
  state: z
    .enum(['dead', 'delivered', 'superseded'])
    .optional()
    .describe('The state of the deliveries to retry; `dead` if omitted.'),
  since: timeSchema.describe('Deliveries created at or after this date-time.'),
  until: timeSchema
    .optional()
    .describe('Deliveries created before this date-time; the time of the request if omitted.'),
});

const recoverySchema = z.object({
  id: z.string(),
  state: z.enum(['running', 'done']),
  recovered: z.int().describe('The number of deliveries reopened so far.'),
  total: z
    .int()
    .describe(
      'The number of matching deliveries, which grows until all are counted. Fewer are reopened if a newer version is already waiting or a destination was removed.',
    ),
  createdAt: dateTimeSchema,
});

/**
 * `POST /v1/admin/deliveries/recover` and `GET /v1/admin/recoveries/{id}`: bulk retries, in the background, of
 * deliveries that have ended.
 */
export const recoverRoute: RouteModule = (app, { store }) => {
  app.route({
    config: {
      access: 'operator',
      poolCheck: 'by-handler',
      problems: { 409: 'The maximum number of recoveries is already running.' },
    },
    method: 'POST',
    url: '/v1/admin/deliveries/recover',
    schema: {
      operationId: 'recoverDeliveries',
      summary: 'Retry many deliveries',
      description: 'Reopens a first batch of deliveries before the response, and the rest in the background.',
      body: bodySchema,
      response: {
        202: z.object({
          recoveryId: z.string(),
          recovered: z.int().describe('The number of deliveries reopened before the response.'),
        }),
      },
    },
    handler: async ({ body: { pool, ...filter }, caller }, reply) => {
      const { since, until } = filter;
      if (until !== undefined && until <= since) {
        throw malformed([{ path: 'until', message: 'is not later than since' }]);
      }
      const pools = poolsToShow(caller, pool);
      const started = await store.deliveries.recover({ ...filter, pools });
      if ('outcome' in started) {
        throw new HttpProblem(
          409,
          'too_many_recoveries',
          pools === undefined
            ? `${maxRunningRecoveries} recoveries of all pools are running, which is as many as may run at once: try again when one is done (GET /v1/admin/recoveries/{id}).`
            : `${maxRunningRecoveriesPerPool} recoveries of one of these pools are running, which is as many as may run at once: try again when one is done (GET /v1/admin/recoveries/{id}).`,
        );
      }
      return reply.code(202).send(started);
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'recovery' },
    method: 'GET',
    url: '/v1/admin/recoveries/:id',
    schema: {
      operationId: 'readRecovery',
      summary: 'Read the progress of a recovery',
      params: idPathSchema,
      response: { 200: recoverySchema },
    },
    handler: async ({ params }) => {
      const recovery = await store.deliveries.recovery(params.id);
      if (recovery === undefined) {
        throw new HttpProblem(404, 'recovery_not_found', 'There is no recovery with this id.');
      }
      const { id, state, recovered, total, createdAt } = recovery;
      return { id, state, recovered, total, createdAt };
    },
  });
};
