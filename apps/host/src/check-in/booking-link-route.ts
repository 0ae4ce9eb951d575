import { showBookingLink } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { notInstalled } from '../booking-reading/booking-sources.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { BaseUrl, Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { requireBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { checkInUrl } from './check-in-url.ts';
import { knownEnd } from './link-routes.ts';

const nothingToSign = () =>
  new HttpProblem(409, 'no_form', 'The pool has no published form, so there is nothing to sign.');

const revoked = () =>
  new HttpProblem(409, 'link_revoked', 'The link of this booking was withdrawn: make a new one.');

/** `POST /v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link`: the booking system's own link, too. */
@injectable()
export class BookingLinkRoute implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { pools, forms, checkInLinks } = this.store;
    app.route({
      ...showBookingLink,
      handler: async ({ params: { pool, booking_id: bookingId }, query }) => {
        const setup = await pools.setup(pool);
        if (setup === undefined) throw unknownPool(pool);
        const bookingSystem = await requireBookingSystem(this, pool, query.bookingSystem);
        const destination = setup.versionOf(bookingSystem)?.destination;
        if (destination === undefined) throw notInstalled(setup, bookingSystem);
        if (!(await forms.hasPublished(pool))) throw nothingToSign();
        const booking = { pool, bookingSystem, bookingId };
        const token = await checkInLinks.ofBooking(booking, destination);
        if (token === undefined) throw revoked();
        return {
          url: checkInUrl(this.baseUrl(), token),
          expiresAt: await knownEnd(this, { ...booking, expiresAt: null }),
        };
      },
    });
  }
}
