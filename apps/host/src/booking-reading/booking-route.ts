import { bookingIdSchema, poolIdSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { bookingAnswer, bookingAnswerSchema } from './booking-answer.ts';
import type { BookingReader } from './booking-reader.ts';

interface Services {
  readonly store: Pick<Store, 'pools' | 'waivers'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly bookingReader: Pick<BookingReader, 'read'>;
}

/** `GET /v1/pools/{pool}/bookings/{booking_id}`: a booking, the pre-fill of its waivers, and who has signed. */
export const bookingRoute: RouteModule<Services> = (app, { store, bookingSystems, bookingReader }) => {
  app.route({
    config: { access: 'bookings:read', audited: true },
    method: 'GET',
    url: '/v1/pools/:pool/bookings/:booking_id',
    schema: {
      operationId: 'readBooking',
      tags: ['Bookings'],
      summary: 'Read a booking, pre-filled for its guests',
      params: z.object({ pool: poolIdSchema, booking_id: bookingIdSchema }),
      querystring: z.strictObject({
        bookingSystem: z
          .string()
          .max(100)
          .optional()
          .describe('Install name; the pool’s default booking system if omitted.'),
      }),
      response: { 200: bookingAnswerSchema },
    },
    handler: async (request) => {
      const { pool: poolId, booking_id: bookingId } = request.params;
      const { bookingSystem } = request.query;
      // Any text: the response to an unknown name lists the known ones.
      if (bookingSystem !== undefined) bookingSystems.resolve(bookingSystem);
      const { caller, signal } = request;
      const setup = caller?.kind === 'pool' ? caller.setup : await store.pools.setup(poolId);
      if (!setup) throw unknownPool(poolId);
      const reading = await bookingReader.read({ setup, bookingSystem, bookingId, signal });
      const waivers = await store.waivers.forBooking({
        pool: poolId,
        bookingSystem: reading.bookingSystem,
        bookingId: reading.bookingId,
      });
      const { prefillProperties } = setup;
      return bookingAnswer({ reading, prefillProperties, waivers, now: new Date(), caller });
    },
  });
};
