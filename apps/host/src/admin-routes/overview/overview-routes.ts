import { dateTimeSchema } from '@waiver-service/api';
import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { createOverviewCache } from './overview-cache.ts';

const minuteMs = 60_000;
const windows = {
  '1h': { windowMs: 60 * minuteMs, bucketMs: minuteMs },
  '24h': { windowMs: 24 * 60 * minuteMs, bucketMs: 15 * minuteMs },
  '7d': { windowMs: 7 * 24 * 60 * minuteMs, bucketMs: 120 * minuteMs },
} as const;

const overviewSchema = z
  .object({
    waiting: z.int().describe('The number of messages waiting to be sent.'),
    oldestWaitingAt: dateTimeSchema.nullable(),
    dead: z.int().describe('The number of deliveries that failed permanently and were not retried.'),
    failingDestinations: z.int(),
    pausedDestinations: z.int(),
    delivered: z.int().describe('The number of completed deliveries within the window.'),
    failed: z.int().describe('The number of failed attempts within the window.'),
    buckets: z.array(
      z.object({
        at: dateTimeSchema.describe('The beginning of the bucket.'),
        delivered: z.int(),
        failed: z.int(),
        medianMs: z
          .int()
          .nullable()
          .describe('The median duration of an attempt, in milliseconds; null if there was none.'),
        p95Ms: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Overview' });

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export const overviewRoutes: RouteModule = (app, { store }) => {
  const cache = createOverviewCache(store.overviews);
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/overview',
    schema: {
      operationId: 'readOverview',
      summary: 'Read statistics of deliveries',
      description:
        'The statistics are at most a few seconds old; buckets that ended more than 5 minutes ago may be up to an hour old.',
      querystring: z.strictObject({
        pool: poolIdSchema.optional(),
        window: z
          .enum(['1h', '24h', '7d'])
          .default('24h')
          .describe(
            'The period up to now, in buckets of 1 minute (`1h`), 15 minutes (`24h`) or 2 hours (`7d`).',
          ),
      }),
      response: { 200: overviewSchema },
    },
    handler: async ({ caller, query: { pool, window } }) => {
      const pools = poolsToShow(caller, pool);
      const { buckets, ...counts } = await cache.read({ pools, ...windows[window] });
      return {
        ...counts,
        delivered: sum(buckets.map(({ delivered }) => delivered)),
        failed: sum(buckets.map(({ failed }) => failed)),
        buckets: [...buckets],
      };
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/first-steps',
    schema: {
      operationId: 'readFirstSteps',
      summary: 'Read how far the service has been set up',
      response: {
        200: z
          .object({
            bookingSystem: z
              .boolean()
              .describe('Whether any booking system has settings, an install key or an installation.'),
            pool: z.boolean().describe('Whether a pool exists.'),
            installation: z
              .boolean()
              .describe('Whether a booking system is installed for a pool and not waiting for approval.'),
            booking: z.boolean().describe('Whether a booking was read or a waiver was stored.'),
          })
          .meta({ id: 'FirstSteps' }),
      },
    },
    handler: () => store.overviews.firstSteps(),
  });
};
