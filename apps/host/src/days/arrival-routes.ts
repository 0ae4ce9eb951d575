import { bookingIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { personOf } from '../authentication/caller.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { erasedResponse, missingWaiver } from '../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';
import { dateSchema } from './day-route.ts';

const storedSchema = z.null().describe('Stored.');

const arrived = z.boolean().describe('Whether to record the arrival; `false` undoes it.');

const bookingNotFound = (id: string) =>
  new HttpProblem(404, 'booking_not_found', `No booking ${JSON.stringify(id)} of this pool is known.`);

/** Arrivals, ticked by staff. */
export const arrivalRoutes: RouteModule = (app, services) => {
  const { arrivals } = services.store.days;

  app.route({
    config: { access: 'operator' },
    method: 'PUT',
    url: '/v1/admin/pools/:pool/days/:date/bookings/:booking_id/arrivals',
    schema: {
      operationId: 'putBookingArrivals',
      summary: 'Record that guests of a booking have arrived',
      description:
        'Records or undoes arrivals. A repeated call keeps the first time and person. Sends nothing to the booking system.',
      params: poolPathSchema.extend({ date: dateSchema, booking_id: bookingIdSchema }),
      body: z.strictObject({
        bookingSystem: z.string().min(1).max(100).describe('Install name of the booking system.'),
        guests: z
          .array(z.string().regex(/^((guest|waiver):.{1,256}|place:[1-9]\d{0,4})$/s, 'a `key` of the day'))
          .min(1)
          .max(1_000)
          .describe('Keys of the guests, as returned with the day.'),
        arrived,
      }),
      response: { 204: storedSchema },
    },
    handler: async ({ params: { pool, date: day, booking_id: bookingId }, body, caller }, reply) => {
      await requirePool(services, pool);
      const { actor: id, name } = personOf(caller);
      const of = { pool, day, bookingSystem: body.bookingSystem, bookingId, guests: body.guests };
      if (!(await arrivals.setOfBooking(of, body.arrived, { id, name }))) throw bookingNotFound(bookingId);
      return reply.code(204).send(null);
    },
  });

  app.route({
    config: { access: 'operator', problems: erasedResponse },
    method: 'PUT',
    url: '/v1/admin/pools/:pool/days/:date/waivers/:id/arrival',
    schema: {
      operationId: 'putWaiverArrival',
      summary: 'Record that the guest of a waiver has arrived',
      description:
        'Records or undoes the arrival of a walk-in. A repeated call keeps the first time and person. Sends nothing to a booking system.',
      params: waiverParamsSchema.extend({ date: dateSchema }),
      body: z.strictObject({ arrived }),
      response: { 204: storedSchema },
    },
    handler: async ({ params: { pool, date: day, id: waiverId }, body, caller }, reply) => {
      await requirePool(services, pool);
      const { actor: id, name } = personOf(caller);
      if (!(await arrivals.setOfWaiver({ pool, day, waiverId }, body.arrived, { id, name })))
        throw await missingWaiver(services, pool, waiverId);
      return reply.code(204).send(null);
    },
  });
};
