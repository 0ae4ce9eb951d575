import { bookingIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolPathSchema } from '../admin-routes/admin-paths.ts';
import { notInstalled } from '../booking-reading/choose-booking-system.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { requireBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { checkInUrl } from './check-in-url.ts';
import { knownEnd } from './link-routes.ts';

const nothingToSign = () =>
  new HttpProblem(409, 'no_form', 'The pool has no published form, so there is nothing to sign.');

const revoked = () =>
  new HttpProblem(409, 'link_revoked', 'The link of this booking was withdrawn: make a new one.');

/** `POST /v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link`: the booking system's own link, too. */
export const bookingLinkRoute: RouteModule = (app, services) => {
  const { pools, forms, checkInLinks } = services.store;
  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'The link was revoked (`link_revoked`), the pool has no published form (`no_form`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
        424: 'The booking system is not installed for the pool (`not_installed`).',
      },
    },
    method: 'POST',
    url: '/v1/admin/pools/:pool/bookings/:booking_id/check-in-link',
    schema: {
      operationId: 'showBookingLink',
      tags: ['Check-in'],
      summary: 'Read the link that all guests of a booking use to sign',
      description:
        'Returns the link that the booking system gets as `web.preArrival`. The link is created on first use and stays the same, so it can be shown again.',
      params: poolPathSchema.extend({ booking_id: bookingIdSchema }),
      querystring: z.strictObject({
        bookingSystem: z
          .string()
          .optional()
          .describe('Install name; the pool’s default booking system if omitted.'),
      }),
      response: {
        200: z.object({
          url: z.url(),
          expiresAt: dateTimeSchema
            .nullable()
            .describe('When the link expires; null until the booking’s sessions are known.'),
        }),
      },
    },
    handler: async ({ params: { pool, booking_id: bookingId }, query }) => {
      const setup = await pools.setup(pool);
      if (setup === undefined) throw unknownPool(pool);
      const bookingSystem = await requireBookingSystem(services, pool, query.bookingSystem);
      const destination = setup.versionOf(bookingSystem)?.destination;
      if (destination === undefined) throw notInstalled(setup, bookingSystem);
      if (!(await forms.hasPublished(pool))) throw nothingToSign();
      const booking = { pool, bookingSystem, bookingId };
      const token = await checkInLinks.ofBooking(booking, destination);
      if (token === undefined) throw revoked();
      return {
        url: checkInUrl(services.baseUrl(), token),
        expiresAt: await knownEnd(services, { ...booking, expiresAt: null }),
      };
    },
  });
};
