import {
  type destinationSchema,
  listDestinations,
  pauseDestination,
  resumeDestination,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, pageOf, poolsToShow } from '@waiver-service/http';
import type { DestinationItem } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Store } from '../given.ts';

export function ownerAnswer({ bookingSystem, webhook }: Pick<DestinationItem, 'bookingSystem' | 'webhook'>) {
  return { bookingSystem: bookingSystem ?? undefined, webhook: webhook ?? undefined };
}

const destinationAnswer = (item: DestinationItem): z.input<typeof destinationSchema> => ({
  ...item,
  ...ownerAnswer(item),
  installationStatus: item.installationStatus ?? undefined,
});

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
