import { listDestinations, pauseDestination, resumeDestination } from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, pageOrProblem, poolsToShow } from '@waiver-service/http';
import { inject, injectable } from 'inversify';
import { Store } from '../given.ts';

@injectable()
export class DestinationRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listDestinations,
      handler: async ({ query, caller }) => {
        return pageOrProblem(this.store.destinations.list(query, poolsToShow(caller)));
      },
    });

    const changed = async (action: 'pause' | 'resume', id: string) => {
      const destination = await this.store.destinations[action](id);
      if (!destination)
        throw new HttpProblem(404, 'destination_not_found', 'There is no destination with this id.');
      return destination;
    };

    app.route({ ...pauseDestination, handler: ({ params: { id } }) => changed('pause', id) });

    app.route({ ...resumeDestination, handler: ({ params: { id } }) => changed('resume', id) });
  }
}
