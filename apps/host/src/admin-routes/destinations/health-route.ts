import { dateTimeSchema, pageQueryFields, pageSchema } from '@waiver-service/api';
import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf } from '../../http/pages.ts';

const hourMs = 3_600_000;
const windows = {
  '24h': { windowMs: 24 * hourMs, bucketMs: hourMs },
  '7d': { windowMs: 7 * 24 * hourMs, bucketMs: 6 * hourMs },
} as const;

const healthSchema = z
  .object({
    destination: z.string(),
    buckets: z
      .array(
        z.object({
          at: dateTimeSchema.describe('The beginning of the bucket.'),
          delivered: z.int(),
          failed: z.int().describe('The number of attempts that were refused or not answered.'),
        }),
      )
      .describe('The counts by time, oldest first; buckets without an attempt are omitted.'),
  })
  .meta({ id: 'DestinationHealth' });

/** `GET /v1/admin/destinations/health`: how destinations fare over time, for a chart. */
export const destinationHealthRoute: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/destinations/health',
    schema: {
      operationId: 'listDestinationHealth',
      summary: 'List the delivered and failed attempts of each destination over time',
      description:
        'Destinations are in the order of `GET /v1/admin/destinations`. `bucketMs` is the length of a bucket in milliseconds, `since` the beginning of the first. Each host adds its counts every 10 seconds.',
      querystring: z.strictObject({
        pool: poolIdSchema.optional(),
        window: z
          .enum(['24h', '7d'])
          .default('24h')
          .describe('The period up to now, in buckets of 1 hour (`24h`) or 6 hours (`7d`).'),
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(healthSchema).extend({ since: dateTimeSchema, bucketMs: z.int() }) },
    },
    handler: async ({ caller, query: { pool, window, limit, cursor } }) => {
      const { windowMs, bucketMs } = windows[window];
      // Aligned to round times, so that buckets are the same in every response.
      const since = new Date(Math.floor((Date.now() - windowMs) / bucketMs) * bucketMs + bucketMs);
      const pools = poolsToShow(caller, pool);
      const page = await pageOf(
        store.destinationActivities.list({ pools, since, bucketMs, limit, cursor }),
        ({ destination, buckets }) => ({ destination, buckets: [...buckets] }),
      );
      return { ...page, since, bucketMs };
    },
  });
};
