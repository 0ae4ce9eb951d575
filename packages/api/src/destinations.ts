import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { deliveryKindSchema } from './fields.ts';
import { pageQueryFields, pageQuerySchema, pageSchema } from './pages.ts';
import { idPathSchema } from './paths.ts';
import { route } from './route.ts';

/** The installation or webhook of a destination; absent once that is removed. */
export const destinationOwnerFields = {
  bookingSystem: z.string().optional().describe('The install name, if the destination is an installation.'),
  webhook: z
    .object({ id: z.string(), url: z.string() })
    .optional()
    .describe('The id and URL of the webhook, if the destination is a webhook.'),
};

export const destinationSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    pool: z.string(),
    ...destinationOwnerFields,
    status: z.enum(['active', 'paused', 'closed']),
    installationStatus: z
      .enum(['active', 'pending', 'needs_attention'])
      .optional()
      .describe('The status of the installation, if the destination is an installation.'),
    consecutiveFailures: z.int(),
    firstFailureAt: dateTimeSchema.optional(),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'The time until which nothing is sent, because of a `Retry-After` or a lost authorization, unless the destination is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

export const listDestinations = route({
  method: 'GET',
  url: '/v1/admin/destinations',
  config: { access: 'viewer', poolCheck: 'by-handler' },
  schema: {
    operationId: 'listDestinations',
    summary: 'List destinations and how many messages wait for each',
    querystring: pageQuerySchema,
    response: { 200: pageSchema(destinationSchema) },
  },
});

export const pauseDestination = route({
  method: 'POST',
  url: '/v1/admin/destinations/:id/pause',
  config: { access: 'operator', poolCheck: 'destination' },
  schema: {
    operationId: 'pauseDestination',
    summary: 'Pause sending to a destination; its waiting messages are kept',
    params: idPathSchema,
    response: { 200: destinationSchema },
  },
});

export const resumeDestination = route({
  method: 'POST',
  url: '/v1/admin/destinations/:id/resume',
  config: { access: 'operator', poolCheck: 'destination' },
  schema: {
    operationId: 'resumeDestination',
    summary: 'Resume sending to a destination',
    params: idPathSchema,
    response: { 200: destinationSchema },
  },
});

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

export const listDestinationHealth = route({
  method: 'GET',
  url: '/v1/admin/destinations/health',
  config: { access: 'viewer', poolCheck: 'by-handler' },
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
});
