import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { route } from './route.ts';

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

/** The state of sending. */
export type Overview = Readonly<z.input<typeof overviewSchema>>;

export const readOverview = route.get('/v1/admin/overview', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'readOverview',
  summary: 'Read statistics of deliveries',
  description: 'The statistics are at most a few seconds old.',
  querystring: z.strictObject({
    pool: poolIdSchema.optional(),
    window: z
      .enum(['1h', '24h', '7d'])
      .default('24h')
      .describe('The period up to now, in buckets of 1 minute (`1h`), 15 minutes (`24h`) or 2 hours (`7d`).'),
  }),
  response: { 200: overviewSchema },
});

const firstStepsSchema = z
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
  .meta({ id: 'FirstSteps' });

/** How far a service has been set up, as it is read. */
export type FirstSteps = Readonly<z.input<typeof firstStepsSchema>>;

export const readFirstSteps = route.get('/v1/admin/first-steps', {
  config: { access: 'viewer', poolCheck: 'none' },
  operationId: 'readFirstSteps',
  summary: 'Read how far the service has been set up',
  response: {
    200: firstStepsSchema,
  },
});
