import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';

interface Services {
  readonly store: { readonly overviews: Pick<Store['overviews'], 'firstSteps'> };
}

/** `GET /v1/admin/first-steps`: how far the service has been set up. */
export const firstStepsRoute: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/first-steps',
    schema: {
      operationId: 'readFirstSteps',
      tags: ['Operators'],
      summary: 'Read how far the service has been set up',
      response: {
        200: z
          .object({
            bookingSystem: z
              .boolean()
              .describe('A booking system has settings, an install key or an installation.'),
            pool: z.boolean().describe('There is a pool.'),
            installation: z.boolean().describe('A booking system is installed for a pool, and not pending.'),
            booking: z.boolean().describe('A booking was read, or a waiver stored.'),
          })
          .meta({ id: 'FirstSteps' }),
      },
    },
    handler: () => store.overviews.firstSteps(),
  });
};
