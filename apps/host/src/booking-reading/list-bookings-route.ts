import { listBookings, type listedBookingSchema } from '@waiver-service/api';
import type { Booking } from '@waiver-service/core';
import type { BookingWaiver } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Store } from '../given.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import { hiddenMessage } from '../http/guest-data.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { redactedBooking } from './booking-answer.ts';
import { BookingLister, type BookingListItem } from './list-bookings.ts';
import { periodOf } from './list-period.ts';
import { matchWaivers } from './signed-waivers.ts';

function itemAnswer(
  { bookingId, fetched, error }: BookingListItem,
  waivers: readonly BookingWaiver[],
  timeZone: string,
  caller: Caller | null,
): z.infer<typeof listedBookingSchema> {
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
@injectable()
export class ListBookingsRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingLister) private readonly bookingLister: BookingLister,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, bookingLister } = this;

    app.route({
      ...listBookings,
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
  }
}
