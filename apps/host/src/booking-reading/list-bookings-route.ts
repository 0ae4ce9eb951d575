import { type Booking, bookingSchema, poolIdSchema } from '@waiver-service/core';
import type { BookingWaiver, Store } from '@waiver-service/store';
import { z } from 'zod';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import { hiddenMessage, redactedSchema } from '../http/guest-data.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { pageQueryFields, pageSchema } from '../http/pages.ts';
import { readProblems, redactedBooking, redactedBookingSchema } from './booking-answer.ts';
import type { BookingLister, BookingListItem } from './list-bookings.ts';
import { periodFields, periodOf } from './list-period.ts';
import { matchWaivers } from './signed-waivers.ts';

const itemSchema = z
  .object({
    bookingId: z.string(),
    booking: z
      .union([bookingSchema, redactedBookingSchema])
      .nullable()
      .describe('The booking; null if it could not be read.'),
    redacted: redactedSchema,
    waivers: z.object({ signed: z.int(), pax: z.int().nullable() }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the booking could not be read; null if it was read.'),
  })
  .meta({ id: 'ListedBooking' });

interface Services {
  readonly store: Pick<Store, 'pools' | 'waivers'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly bookingLister: BookingLister;
}

function itemAnswer(
  { bookingId, fetched, error }: BookingListItem,
  waivers: readonly BookingWaiver[],
  timeZone: string,
  caller: Caller | null,
): z.infer<typeof itemSchema> {
  const booking: Booking | undefined = fetched?.booking;
  const isRedacted = !seesGuests(caller);
  const { signed } = matchWaivers(booking, waivers, timeZone);
  return {
    bookingId,
    booking: booking === undefined ? null : isRedacted ? redactedBooking(booking) : booking,
    ...(isRedacted ? { redacted: true as const } : {}),
    waivers: { signed, pax: booking?.pax ?? null },
    error: error === undefined ? null : { ...error, ...(isRedacted ? { message: hiddenMessage } : {}) },
  };
}

/** `GET /v1/pools/{pool}/bookings`: the bookings with a session in a period, and how many have signed. */
export const listBookingsRoute: RouteModule<Services> = (app, { store, bookingSystems, bookingLister }) => {
  app.route({
    config: {
      access: 'bookings:read',
      audited: true,
      problems: { ...readProblems, 409: `${readProblems[409]} Or the booking system cannot list bookings.` },
    },
    method: 'GET',
    url: '/v1/pools/:pool/bookings',
    schema: {
      operationId: 'listBookings',
      tags: ['Bookings'],
      summary: 'List the bookings of a period, and how many guests of each have signed',
      description:
        'Queries the booking system and returns, in its order, the bookings with a session that starts in the period. A page may have fewer items than `limit`, or none, and still have a `next`. Returns 409 `listing_not_supported` if the booking system cannot list bookings.',
      params: z.object({ pool: poolIdSchema }),
      querystring: z.strictObject({
        ...periodFields,
        bookingSystem: z
          .string()
          .max(100)
          .optional()
          .describe('Install name; the pool’s default booking system if omitted.'),
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(itemSchema).extend({ bookingSystem: z.string() }) },
    },
    handler: async (request, reply) => {
      const { pool } = request.params;
      const { bookingSystem: named, limit, cursor, ...period } = request.query;
      if (named !== undefined) bookingSystems.resolve(named);
      const { caller } = request;
      const signal = callerSignal(reply);
      const setup = caller?.kind === 'pool' ? caller.setup : await store.pools.setup(pool);
      if (!setup) throw unknownPool(pool);
      const query = { ...periodOf(period), setup, bookingSystem: named, limit, cursor, signal };
      const { bookingSystem, items, next } = await bookingLister.list(query);
      const answers = items.map(async (item) => {
        const waivers = await store.waivers.forBooking({ pool, bookingSystem, bookingId: item.bookingId });
        return itemAnswer(item, waivers, setup.timeZone, caller);
      });
      return { bookingSystem, items: await Promise.all(answers), next };
    },
  });
};
