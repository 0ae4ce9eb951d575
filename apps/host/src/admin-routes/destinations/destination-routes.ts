import { listDestinations, pauseDestination, resumeDestination } from '@waiver-service/api';
import { poolsToShow } from '../../authentication/pool-access.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { destinationAnswer } from './destination-answer.ts';

export const destinationRoutes: RouteModule = (app, { store }) => {
  app.route({
    ...listDestinations,
    handler: async ({ query, caller }) => {
      return pageOf(store.destinations.list(query, poolsToShow(caller)), destinationAnswer);
    },
  });

  const changed = async (action: 'pause' | 'resume', id: string) => {
    const destination = await store.destinations[action](id);
    if (!destination)
      throw new HttpProblem(404, 'destination_not_found', 'There is no destination with this id.');
    return destinationAnswer(destination);
  };

  app.route({ ...pauseDestination, handler: ({ params: { id } }) => changed('pause', id) });

  app.route({ ...resumeDestination, handler: ({ params: { id } }) => changed('resume', id) });
};
