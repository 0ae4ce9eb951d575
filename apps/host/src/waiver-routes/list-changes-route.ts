import { z } from 'zod';
import { seesAnswers } from '../authentication/caller.ts';
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
    .describe('How many seconds to wait for a change before an empty response.'),
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
    erased: z.literal(true).optional().describe('Present if the record was erased: delete your copies, too.'),
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
        'Each record in its current version, in the order of the last changes; a record that changed several times since the previous page appears once. `next` is always present: pass it to the next request, also after an empty page.',
      params: poolParamsSchema,
      querystring: querySchema,
      response: { 200: z.object({ items: z.array(changedWaiverSchema), next: z.string() }) },
    },
    handler: async (request) => {
      const { pool } = request.params;
      const { after, limit, wait } = request.query;
      if (request.caller?.kind !== 'pool' && !(await store.pools.get(pool))) throw unknownPool(pool);
      const changes = store.changes.read(pool, {
        after,
        limit,
        waitMs: wait * 1_000,
        signal: request.signal,
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
