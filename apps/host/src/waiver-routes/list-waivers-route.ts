import { bookingIdSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import { seesAnswers } from '../authentication/caller.ts';
import { timeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { pageOrProblem, pageQueryFields, pageSchema } from '../http/pages.ts';
import { waiverRecordAnswer, waiverRecordSchema } from './waiver-record.ts';
import { poolParamsSchema } from './waiver-schemas.ts';

interface Services {
  readonly store: Pick<Store, 'waivers' | 'pools'>;
}

/** `GET /v1/pools/{pool}/waivers`: the pool's records in the order of their last changes. */
export const listWaiversRoute: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'waivers:list' },
    method: 'GET',
    url: '/v1/pools/:pool/waivers',
    schema: {
      operationId: 'listWaivers',
      tags: ['Waivers'],
      summary: 'List waiver records by their last change, oldest first',
      params: poolParamsSchema,
      querystring: z.strictObject({
        bookingId: bookingIdSchema.optional(),
        updatedSince: timeSchema.optional().describe('Only records changed at or after this date-time.'),
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(waiverRecordSchema) },
    },
    handler: async (request) => {
      const { pool } = request.params;
      const page = await pageOrProblem(store.waivers.list(pool, request.query));
      if (page.items.length === 0 && !(await store.pools.get(pool))) throw unknownPool(pool);
      return {
        items: page.items.map((record) => waiverRecordAnswer(record, seesAnswers(request.caller))),
        next: page.next,
      };
    },
  });
};
