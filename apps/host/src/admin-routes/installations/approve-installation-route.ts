import type { Store } from '@waiver-service/store';
import { personOf } from '../../authentication/caller.ts';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { poolBookingSystemPathSchema, requirePool } from '../admin-paths.ts';
import { installationAnswer, installationSchema } from './installation-answer.ts';

interface Services {
  readonly store: Pick<Store, 'installations' | 'pools'>;
  readonly bookingSystems: BookingSystemResolver;
}

/** `POST …/installations/{booking_system}/approve`: activates a pending installation. */
export const approveInstallationRoute: RouteModule<Services> = (app, services) => {
  const { store, bookingSystems } = services;
  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/installations/:booking_system/approve',
    schema: {
      operationId: 'approveInstallation',
      tags: ['Operators'],
      summary: 'Approve a pending installation',
      description:
        'From now on bookings are read and Guest Updates are sent. Waivers signed before are sent with their next change. Returns 200 for an active installation, too.',
      params: poolBookingSystemPathSchema,
      response: { 200: installationSchema },
    },
    handler: async ({ params: { pool, booking_system }, caller }) => {
      const { installName } = bookingSystems.resolve(booking_system);
      await requirePool(services, pool);
      const approved = await store.installations.approve(pool, installName, personOf(caller).actor);
      if (approved) return installationAnswer(approved);
      throw new HttpProblem(404, 'not_installed', `${installName} is not installed for this pool.`);
    },
  });
};
