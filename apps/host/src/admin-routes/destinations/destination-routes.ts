import { listDestinations, pauseDestination, resumeDestination } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { destinationAnswer } from './destination-answer.ts';

@injectable()
export class DestinationRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listDestinations,
      handler: async ({ query, caller }) => {
        return pageOf(this.store.destinations.list(query, poolsToShow(caller)), destinationAnswer);
      },
    });

    const changed = async (action: 'pause' | 'resume', id: string) => {
      const destination = await this.store.destinations[action](id);
      if (!destination)
        throw new HttpProblem(404, 'destination_not_found', 'There is no destination with this id.');
      return destinationAnswer(destination);
    };

    app.route({ ...pauseDestination, handler: ({ params: { id } }) => changed('pause', id) });

    app.route({ ...resumeDestination, handler: ({ params: { id } }) => changed('resume', id) });
  }
}
