import { z } from 'zod';
import { seesAnswers } from '../authentication/caller.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { pageOrProblem, pageQueryFields } from '../http/pages.ts';
import { waiverRecordAnswer, waiverRecordSchema } from './waiver-record.ts';
import { poolParamsSchema } from './waiver-schemas.ts';

const maxWaitSeconds = 30;

const querySchema = z.strictObject({
  after: pageQueryFields.cursor.describe(
    'The `next` of the previous page; omitted to start from the beginning.',
  ),
  limit: pageQueryFields.limit,
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxWaitSeconds)
    .default(0)
    .describe('Seconds to wait for a change before returning an empty page.'),
});

const tooManyWaiting = () =>
  new HttpProblem(
    429,
    'too_many_waiting',
    'Too many requests for this pool wait for changes already: use fewer readers, or ask without `wait`.',
    { headers: { 'retry-after': '5' } },
  );

const changedWaiverSchema = waiverRecordSchema
  .extend({
    erased: z
      .literal(true)
      .optional()
      .describe('Present if the record was erased: delete your copies as well.'),
  })
  .meta({ id: 'ChangedWaiver' });

/** `GET /v1/pools/{pool}/changes`: the pool's records as they change, without gaps. */
export const listChangesRoute: RouteModule = (app, { store }) => {
  app.addHook('preClose', () => store.changes.stopWaiting());
  app.route({
    config: { access: 'waivers:list', audited: true },
    method: 'GET',
    url: '/v1/pools/:pool/changes',
    schema: {
      operationId: 'listChanges',
      tags: ['Waivers'],
      summary: 'Follow the changes of waiver records, without gaps',
      description:
        'Returns changed records in their current versions, in the order of their last changes. A record that changed several times since the previous page appears once. `next` is always present: pass it as `after` in the next request, even after an empty page.',
      params: poolParamsSchema,
      querystring: querySchema,
      response: { 200: z.object({ items: z.array(changedWaiverSchema), next: z.string() }) },
    },
    handler: async (request, reply) => {
      const { pool } = request.params;
      const { after, limit, wait } = request.query;
      if (request.caller?.kind !== 'pool' && !(await store.pools.get(pool))) throw unknownPool(pool);
      const changes = store.changes.read(pool, {
        after,
        limit,
        waitMs: wait * 1_000,
        signal: callerSignal(reply),
      });
      const result = await pageOrProblem(changes, 'after');
      if ('outcome' in result) throw tooManyWaiting();
      return {
        items: result.items.map(({ erased, ...record }) => ({
          ...waiverRecordAnswer(record, seesAnswers(request.caller)),
          ...(erased ? { erased } : {}),
        })),
        next: result.next,
      };
    },
  });
};
