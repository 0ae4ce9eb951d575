import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { AuthorizationVisits } from '../../booking-systems/authorization-visits.ts';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { poolBookingSystemPathSchema, requirePool } from '../admin-paths.ts';

interface Services {
  readonly store: Pick<Store, 'pools'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly authorizationVisits: Pick<AuthorizationVisits, 'begin'>;
}

/** `POST …/installations/{booking_system}/authorize`: an address for the browser of who may authorize the installation. */
export const authorizeInstallationRoute: RouteModule<Services> = (app, services) => {
  const { bookingSystems, authorizationVisits } = services;
  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'The booking system needs no authorization, or is not configured; `code` says which.',
      },
    },
    method: 'POST',
    url: '/v1/admin/pools/:pool/installations/:booking_system/authorize',
    schema: {
      operationId: 'authorizeInstallation',
      tags: ['Operators'],
      summary: 'Begin to authorize an installation at its booking system',
      description:
        'For booking systems whose accounts are authorized in a browser. Open `url` there, log in and agree: the booking system sends the browser back to this service, which says whether it worked. The address is for one visit, and ends with the next one that is made for this installation.',
      params: poolBookingSystemPathSchema,
      response: { 200: z.object({ url: z.string(), expiresAt: dateTimeSchema }) },
    },
    handler: async ({ params: { pool, booking_system } }) => {
      const { installName } = bookingSystems.resolve(booking_system);
      await requirePool(services, pool);
      const { url, expiresAt } = await authorizationVisits.begin(pool, installName);
      return { url, expiresAt: toDateTime(expiresAt) };
    },
  });
};
