import { bookingIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { bookingSystemOfPool, checkBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { checkInUrl } from './check-in-url.ts';
import { knownEnd } from './link-routes.ts';

const notInstalled = () =>
  new HttpProblem(424, 'not_installed', 'The booking system of this booking is not installed for the pool.');

const nothingToSign = () =>
  new HttpProblem(409, 'no_form', 'The pool has no published form, so there is nothing to sign.');

const revoked = () =>
  new HttpProblem(409, 'link_revoked', 'The link of this booking was withdrawn: make a new one.');

/** `POST /v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link`: the link that the booking system has, too. */
export const bookingLinkRoute: RouteModule = (app, services) => {
  const { pools, forms, checkInLinks } = services.store;
  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'The link was withdrawn (`link_revoked`), the pool has no published form (`no_form`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
        424: 'The booking system is not installed for the pool (`not_installed`).',
      },
    },
    method: 'POST',
    url: '/v1/admin/pools/:pool/bookings/:booking_id/check-in-link',
    schema: {
      operationId: 'showBookingLink',
      tags: ['Check-in'],
      summary: 'The link by which all guests of a booking sign',
      description:
        'The one that its booking system gets as `web.preArrival`: always the same, so that it can be shown again. It is made on first use.',
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
          expiresAt: dateTimeSchema.nullable().describe('null until the booking has been read.'),
        }),
      },
    },
    handler: async ({ params: { pool, booking_id: bookingId }, query }) => {
      await requirePool(services, pool);
      if (query.bookingSystem !== undefined) checkBookingSystem(query.bookingSystem, services);
      const bookingSystem = query.bookingSystem ?? (await bookingSystemOfPool(pool, services));
      const setup = await pools.setup(pool);
      const destination = bookingSystem === null ? undefined : setup?.versionOf(bookingSystem)?.destination;
      if (bookingSystem === null || destination === undefined) throw notInstalled();
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
