import type { DestinationItem, Store } from '@waiver-service/store';
import { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { deliveryKindSchema } from '../../http/delivery-fields.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { idPathSchema } from '../admin-paths.ts';

const destinationSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    pool: z.string(),
    bookingSystem: z.string().optional().describe('The install name, if it is an installation.'),
    webhook: z
      .object({ id: z.string(), url: z.string() })
      .optional()
      .describe('The webhook’s id and URL, if it is one.'),
    status: z.enum(['active', 'paused', 'closed']),
    consecutiveFailures: z.int(),
    firstFailureAt: dateTimeSchema.optional(),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'Nothing is sent to it before this time, because of its `Retry-After`, unless it is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

function destinationAnswer(item: DestinationItem): z.infer<typeof destinationSchema> {
  const { id, kind, pool, status, consecutiveFailures, firstFailureAt, heldUntil } = item;
  const { bookingSystem, webhook, waiting, oldestWaitingAt } = item;
  return {
    id,
    kind,
    pool,
    ...(bookingSystem === null ? {} : { bookingSystem }),
    ...(webhook === null ? {} : { webhook: { ...webhook } }),
    status,
    consecutiveFailures,
    ...(firstFailureAt ? { firstFailureAt: toDateTime(firstFailureAt) } : {}),
    ...(heldUntil ? { heldUntil: toDateTime(heldUntil) } : {}),
    waiting,
    ...(oldestWaitingAt ? { oldestWaitingAt: toDateTime(oldestWaitingAt) } : {}),
  };
}

interface Services {
  readonly store: Pick<Store, 'destinations'>;
}

/** The targets of deliveries: installations and webhooks. */
export const destinationRoutes: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/destinations',
    schema: {
      operationId: 'listDestinations',
      tags: ['Operators'],
      summary: 'List destinations and how many messages wait for each',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(destinationSchema) },
    },
    handler: async ({ query, caller }) => {
      const { items, next } = await pageOrProblem(store.destinations.list(query, poolsToShow(caller)));
      return { items: items.map(destinationAnswer), next };
    },
  });

  const change = (action: 'pause' | 'resume', summary: string) => {
    app.route({
      config: { access: 'operator', poolCheck: 'destination' },
      method: 'POST',
      url: `/v1/admin/destinations/:id/${action}`,
      schema: {
        operationId: `${action}Destination`,
        tags: ['Operators'],
        summary,
        params: idPathSchema,
        response: { 200: destinationSchema },
      },
      handler: async ({ params: { id } }) => {
        const changed = await store.destinations[action](id);
        if (!changed)
          throw new HttpProblem(404, 'destination_not_found', 'There is no destination with this id.');
        return destinationAnswer(changed);
      },
    });
  };
  change('pause', 'Stop sending to a destination; its messages are kept');
  change('resume', 'Send to a destination again');
};
