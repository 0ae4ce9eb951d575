import { poolsToShow } from '../../authentication/pool-access.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { idPathSchema } from '../admin-paths.ts';
import { destinationAnswer, destinationSchema } from './destination-answer.ts';

export const destinationRoutes: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/destinations',
    schema: {
      operationId: 'listDestinations',
      summary: 'List destinations and how many messages wait for each',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(destinationSchema) },
    },
    handler: async ({ query, caller }) => {
      return pageOf(store.destinations.list(query, poolsToShow(caller)), destinationAnswer);
    },
  });

  const change = (action: 'pause' | 'resume', summary: string) => {
    app.route({
      config: { access: 'operator', poolCheck: 'destination' },
      method: 'POST',
      url: `/v1/admin/destinations/:id/${action}`,
      schema: {
        operationId: `${action}Destination`,
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
  change('pause', 'Pause sending to a destination; its waiting messages are kept');
  change('resume', 'Resume sending to a destination');
};
