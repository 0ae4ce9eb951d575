import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { deliveryKindSchema } from './fields.ts';
import { pageQuerySchema, pageSchema } from './pages.ts';
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
    lastErrorCode: z
      .string()
      .optional()
      .describe('Why the last attempt failed, while the destination fails.'),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'The time until which nothing is sent, because of a `Retry-After` or a lost authorization, unless the destination is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

/** The state of a destination. */
export type DestinationItem = Readonly<z.input<typeof destinationSchema>>;

export const listDestinations = route.get('/v1/admin/destinations', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listDestinations',
  summary: 'List destinations and how many messages wait for each',
  querystring: pageQuerySchema,
  response: { 200: pageSchema(destinationSchema) },
});

export const pauseDestination = route.post('/v1/admin/destinations/:id/pause', {
  config: { access: 'operator', poolCheck: 'destination' },
  operationId: 'pauseDestination',
  summary: 'Pause sending to a destination; its waiting messages are kept',
  params: idPathSchema,
  response: { 200: destinationSchema },
});

export const resumeDestination = route.post('/v1/admin/destinations/:id/resume', {
  config: { access: 'operator', poolCheck: 'destination' },
  operationId: 'resumeDestination',
  summary: 'Resume sending to a destination',
  params: idPathSchema,
  response: { 200: destinationSchema },
});
